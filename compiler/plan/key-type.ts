import type { Type } from '../../language/values/type.ts';

/** Whether a value of one type finds a key of the other unchanged: equal values of both are stored alike, and different ones are not. */
export function isKeyOf(given: Type, key: Type): boolean {
  const scale = scaleOf(given);
  if (scale !== undefined || given.kind === 'DOUBLE') return scale !== undefined && scale === scaleOf(key);
  if (isText(given)) return isText(key);
  return JSON.stringify(given) === JSON.stringify(key);
}

/** Fraction digits of an exact number. */
function scaleOf(type: Type): number | undefined {
  if (type.kind === 'INT' || type.kind === 'BIGINT') return 0;
  return type.kind === 'DECIMAL' ? type.scale : undefined;
}

function isText({ kind }: Type): boolean {
  return kind === 'STRING' || kind === 'UUID';
}
