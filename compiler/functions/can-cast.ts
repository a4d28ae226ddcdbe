/** The casts of the language. Takes types, gives yes or no; printing is in cast-sqlite.ts and cast-typescript.ts. */
import { Failure } from '../../language/failure/failure.ts';
import { castValue } from '../../language/values/cast.ts';
import type { Type } from '../../language/values/type.ts';
import { isNumeric, isText, sameType } from './typing.ts';

/**
 * `assign`: to an event or state field; `implicit`: inserted where operands differ; `explicit`: CAST. Each allows everything that the
 * previous one allows.
 */
export type CastMode = 'implicit' | 'assign' | 'explicit';

const numericOrder = ['INT', 'BIGINT', 'DECIMAL', 'DOUBLE'];

/**
 * Whether a value of one type can become one of another. Implicitly numbers widen, a DATE becomes a TIMESTAMP, and UUID and text mix; an
 * assignment also narrows numbers and takes a TIMESTAMP's date; CAST also converts through text, and between BOOLEAN and INT.
 */
export function canCast(from: Type, to: Type, mode: CastMode): boolean {
  if (from.kind === 'NULL' || sameType(from, to)) return true;
  if (isText(from) && isText(to)) return true;
  if (isNumeric(from) && isNumeric(to))
    return mode !== 'implicit' || numericOrder.indexOf(from.kind) <= numericOrder.indexOf(to.kind);
  if (from.kind === 'DATE' && to.kind === 'TIMESTAMP') return true;
  if (from.kind === 'TIMESTAMP' && to.kind === 'DATE') return mode !== 'implicit';
  if (from.kind === 'LIST' && to.kind === 'LIST') return isText(from.of) && isText(to.of);
  return mode === 'explicit' && canCastExplicitly(from, to);
}

function canCastExplicitly(from: Type, to: Type): boolean {
  if (isText(to)) return true;
  if (isText(from)) return to.kind !== 'WALL' && to.kind !== 'LIST' && to.kind !== 'STRUCT' && to.kind !== 'NULL';
  if (to.kind === 'JSON') return from.kind === 'LIST' || from.kind === 'STRUCT';
  if (from.kind === 'WALL') return to.kind === 'DATE';
  return (from.kind === 'INT' && to.kind === 'BOOLEAN') || (from.kind === 'BOOLEAN' && to.kind === 'INT');
}

/** Whether CAST accepts this text as a value of the type, as it does at run time. */
export function castsTo(type: Type, text: string): boolean {
  try {
    castValue(text, { kind: 'STRING' }, type);
    return true;
  } catch (error) {
    if (error instanceof Failure) return false;
    throw error;
  }
}
