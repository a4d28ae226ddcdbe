import { typeName, type Type } from '../../../language/values/type.ts';
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import type { Report } from '../../../language/diagnostics/diagnostic.ts';
import { commonTypeOf, comparedType } from '../../functions/typing.ts';
import type { Span } from '../../../language/source/span.ts';
import { faultyType, nullType } from '../typed/typed.ts';

export interface GivenType {
  readonly type: Type;
  /** A string literal or NULL, which takes the others' type. */
  readonly untyped: boolean;
  /** Its value, if it is a literal; of several the longest text. */
  readonly literal?: string | number | boolean | null;
}

/** The common type of values in one place, or a report if there is none. Bare NULLs alone stay untyped. */
export function commonOf(given: readonly GivenType[], where: string, span: Span, report: Report): Type {
  if (given.some((one) => one.type === faultyType)) return faultyType;
  if (given.every((one) => one.type.kind === 'NULL')) return nullType;
  const common = commonTypeOf(given);
  if (common !== undefined) return common;
  const [left, right] = apart(given);
  report(diagnose('E0307', span, { where, left: typeName(left), right: typeName(right) }));
  return faultyType;
}

/**
 * Finds the type like `commonOf`, for values that are only compared with `=`: decimals are compared exactly, however many digits that
 * takes.
 */
export function comparedOf(given: readonly GivenType[], where: string, span: Span, report: Report): Type {
  return comparedType(commonOf(given, where, span, report), given);
}

/** The first two without a common type, for the message. */
function apart(given: readonly GivenType[]): readonly [Type, Type] {
  const typed = given.filter((one) => !one.untyped);
  for (const [index, one] of typed.entries()) {
    const other = typed.slice(0, index).find((before) => commonTypeOf([before, one]) === undefined);
    if (other !== undefined) return [other.type, one.type];
  }
  return [typed[0]?.type ?? nullType, typed.at(-1)?.type ?? nullType];
}
