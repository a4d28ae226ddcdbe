import type { Catalog } from '../../../language/catalog/catalog.ts';
import { signatureOf } from '../../describe/kinds.ts';
import { functionReference } from '../../functions/reference.ts';
import { isReservedWord } from '../../../language/source/reserved-words.ts';
import type { Token } from '../../syntax/tokens/token.ts';
import { isWord } from '../../syntax/tokens/token-text.ts';
import { Dot } from '../../syntax/tokens/vocabulary.ts';
import { callerWords, knowsCaller } from '../caller-words.ts';
import { scopeAt, type ScopeColumn, type ScopeRelation } from '../scope.ts';
import type { Choice } from './choice.ts';
import { documented } from './names.ts';

export interface ExpressionContext {
  /** In a quoted name there are only columns. */
  readonly quoted: boolean;
  /** Fields of the command of a decision. */
  readonly parameters: readonly Choice[];
  /** The names that a CHECK or the body of a function reads. */
  readonly inputs: readonly Choice[];
}

/** Columns in scope, functions, and in a decision the fields of its command; behind a dot only the columns of the relation before it. */
export function expressionChoices(
  tokens: readonly Token[],
  index: number,
  catalog: Catalog,
  { quoted, parameters, inputs }: ExpressionContext,
): readonly Choice[] {
  const scope = scopeAt(tokens, index, catalog);
  if (tokens[index - 1]?.tokenType === Dot) return behindDot(pathBefore(tokens, index), scope.relations);
  const inQueries = scope.relations.flatMap((relation) => relation.columns);
  const columns = [...inQueries, ...(scope.state ?? [])].map(columnChoice);
  if (quoted) return columns;
  const hasPayload = scope.relations.some(({ payload }) => payload.length > 0);
  const data: readonly Choice[] = hasPayload
    ? [{ label: 'data.', kind: 'column', insert: 'data.', detail: 'fields of the event' }]
    : [];
  const aliases =
    scope.relations.length > 1
      ? scope.relations.flatMap(({ name }): readonly Choice[] =>
          name === '' ? [] : [{ label: `${name}.`, kind: 'relation', insert: `${name}.` }],
        )
      : [];
  const fields = parameters.map((field): Choice => ({
    ...field,
    label: `:${field.label}`,
    insert: `:${field.insert}`,
  }));
  const own = catalog.blocks.function.map((block): Choice => ({
    label: block.name,
    kind: 'function',
    insert: `${block.name}(`,
    detail: signatureOf(block),
    ...documented(block.docs?.block),
  }));
  const callers = knowsCaller(tokens, index) ? callerChoices : [];
  return [...inputs, ...columns, ...data, ...fields, ...aliases, ...own, ...callers, ...functionChoices];
}

function columnChoice({ name, type, sensitive }: ScopeColumn): Choice {
  const plain = /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !isReservedWord(name);
  const detail = [type, sensitive === true ? 'SENSITIVE' : undefined].filter((part) => part !== undefined).join(', ');
  return {
    label: name,
    kind: 'column',
    insert: plain ? name : `"${name.replaceAll('"', '""')}"`,
    ...(detail === '' ? {} : { detail }),
  };
}

/** The names before a dot, in order: `a.data.` is `a`, `data`. */
function pathBefore(tokens: readonly Token[], index: number): readonly string[] {
  const path: string[] = [];
  for (let at = index - 1; tokens[at]?.tokenType === Dot; at -= 2) {
    const token = tokens[at - 1];
    if (token === undefined || !isWord(token)) break;
    path.unshift((token.text ?? token.image).toLowerCase());
  }
  return path;
}

function behindDot([first, second]: readonly string[], relations: readonly ScopeRelation[]): readonly Choice[] {
  const named = relations.filter(({ name }) => name.toLowerCase() === first);
  if (named.length === 0 && first === 'data') return fieldsOf(relations);
  if (second === 'data') return fieldsOf(named);
  if (second !== undefined) return [];
  const hasPayload = named.some(({ payload }) => payload.length > 0);
  return [
    ...named.flatMap(({ columns }) => columns).map(columnChoice),
    ...(hasPayload
      ? [{ label: 'data.', kind: 'column', insert: 'data.', detail: 'fields of the event' } as const]
      : []),
  ];
}

/** Behind a dot every word is a name. */
function fieldsOf(relations: readonly ScopeRelation[]): readonly Choice[] {
  const choices = relations.flatMap(({ payload }) => payload).map(columnChoice);
  return choices.map((choice): Choice => ({ ...choice, insert: choice.label }));
}

const callerChoices: readonly Choice[] = callerWords.map(({ name, usage, summary, insert }) => ({
  label: name,
  kind: 'function',
  insert,
  detail: usage,
  documentation: summary,
}));

const functionChoices: readonly Choice[] = functionReference
  .filter(({ name }) => /^[A-Z][A-Z0-9_]*$/.test(name))
  .map(({ name, usage, summary }) => {
    const isBare = name === 'CURRENT_TIMESTAMP' || name === 'CURRENT_DATE';
    return {
      label: name,
      kind: 'function',
      insert: isBare ? name : `${name}(`,
      detail: usage.join(' · '),
      documentation: summary,
    };
  });
