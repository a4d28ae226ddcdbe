import { typeName, type Type } from '../../../language/values/type.ts';
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import type { Expression } from '../../syntax/ast.ts';
import type { BlockContext } from '../environment/environment.ts';
import type { LiteralValue } from '../literal/literal-value.ts';
import { valuesNear } from '../literal/near-value.ts';
import { recordValueUse } from '../literal/record-value-use.ts';
import { literalAs, readLiteral, showLiteral } from '../literal/read-literal.ts';

/** The value of a field's DEFAULT in its type; undefined, with a report, when it does not fit. NULL is a value here. */
export function defaultValue(
  node: Expression,
  type: Type,
  field: string,
  { report, environment }: Pick<BlockContext, 'report' | 'environment'>,
): LiteralValue | undefined {
  const literal = readLiteral(node);
  // The grammar only accepts literals here.
  if (literal === undefined) return undefined;
  if (literal.form === 'null') return null;
  const value = literalAs(type, literal);
  if (value !== undefined) recordValueUse(type, value, node.span, environment);
  else {
    const nearValues = literal.form === 'text' ? valuesNear(type, literal.text) : {};
    report(diagnose('E0303', node.span, { literal: showLiteral(literal), type: typeName(type), field, ...nearValues }));
  }
  return value;
}
