import type { EnumBlock } from '../../../language/catalog/block.ts';
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import { isSoundText } from '../../../language/values/text.ts';
import type { CreateEnum, StringLiteral } from '../../syntax/ast.ts';
import type { BlockContext } from '../environment/environment.ts';
import { historyIndex } from '../environment/history-index.ts';
import { isPlainType } from '../type/resolve-type.ts';

const mostValues = 1000;
const mostCharacters = 200;

/** ENUM (docs/language.md#enum): its values, compared with those that stored events may have. */
export function checkEnum(tree: CreateEnum, context: BlockContext): EnumBlock {
  const { report, text, environment } = context;
  const name = tree.name.text;
  if (isPlainType(name)) report(diagnose('E0426', tree.name.span, { name }));
  const seen = new Set<string>();
  for (const node of tree.values) {
    const problem = problemOf(node, seen);
    if (problem !== undefined) report(diagnose('E0427', node.span, { name, problem }));
    seen.add(node.value);
  }
  if (seen.size > mostValues)
    report(diagnose('E0427', tree.name.span, { name, problem: `it has more than ${mostValues} values` }));
  const stored = historyIndex(environment.history).enumNamed(name);
  const gone = (stored?.values ?? []).filter((value) => !seen.has(value));
  if (stored !== undefined && gone.length > 0)
    report(diagnose('E0428', tree.name.span, { name, values: gone, fields: stored.fields }));
  return { kind: 'enum', name, text, references: context.references(), values: [...seen] };
}

function problemOf({ value }: StringLiteral, seen: ReadonlySet<string>): string | undefined {
  return seen.has(value) ? `'${value}' is there twice` : valueProblem(value);
}

/** Why a text cannot be a value; undefined if it can. */
export function valueProblem(value: string): string | undefined {
  if (value === '') return 'a value is empty';
  if (!isSoundText(value)) return 'a value has a NUL or half a surrogate pair';
  return Array.from(value).length > mostCharacters ? `a value has more than ${mostCharacters} characters` : undefined;
}
