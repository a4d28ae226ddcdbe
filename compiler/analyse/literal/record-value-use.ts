import type { Span } from '../../../language/source/span.ts';
import type { Type } from '../../../language/values/type.ts';
import type { Environment } from '../environment/environment.ts';
import type { LiteralValue } from './literal-value.ts';

/** Records that a literal is one of the values of an ENUM, if its type is one. */
export function recordValueUse(
  type: Type,
  value: LiteralValue,
  span: Span | undefined,
  { recordUse }: Pick<Environment, 'recordUse'>,
): void {
  if (recordUse === undefined || span === undefined || value === null) return;
  if (type.kind === 'STRING' && type.enum !== undefined)
    recordUse(span, { kind: 'enum', name: type.enum.name, part: String(value) });
}
