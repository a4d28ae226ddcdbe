import type { SourceFile } from '../../../language/source/source-file.ts';
import { typeName } from '../../../language/values/type.ts';
import type { Catalog } from '../../../language/catalog/catalog.ts';
import { bindQuery } from '../../analyse/bind-statement.ts';
import type { Registry } from '../../analyse/environment/registry.ts';
import { aggregateNames, windowNames } from '../../functions/aggregates.ts';
import type { BindParameter, ColumnReference, Expression, FunctionCall, Node, Statement } from '../../syntax/ast.ts';
import { parseQuery } from '../../syntax/parse-query.ts';
import { printName } from '../../syntax/print/words.ts';
import { findAll, walk } from '../../syntax/walk.ts';
import { cursorAt } from '../cursor.ts';
import { scopeAt } from '../scope.ts';
import { before, type Action } from './action.ts';
import { isSame } from './guessed-type.ts';
import { parsedText } from '../parsed-text.ts';

/**
 * Makes the selected expression of a decision or a projection a FUNCTION of the names that it reads. Nothing is offered for less or more than one
 * expression, for aggregates and queries, and where a type is not known.
 */
export function extractFunction(file: SourceFile, from: number, to: number, registry: Registry): Action | undefined {
  const [start, end] = trimmed(file.text, from, to);
  if (start >= end) return undefined;
  const { catalog } = registry;
  const statement = parsedText(file).statements.find(({ span }) => span.start <= start && end <= span.end)?.statement;
  if (statement?.kind !== 'CreateDecision' && statement?.kind !== 'CreateProjection') return undefined;
  const expression = expressionAt(statement, start, end);
  if (expression === undefined) return undefined;
  const inputs = inputsOf(expression, file, statement, catalog);
  if (inputs === undefined) return undefined;
  const body = bodyOf(expression, file, inputs);
  const returns = typeOfBody(body, inputs, registry);
  if (returns === undefined) return undefined;
  const name = freshName(catalog);
  const parameters = inputs.map(({ parameter, type }) => `${printName({ text: parameter })} ${type}`).join(', ');
  const given = inputs.map(({ written }) => written).join(', ');
  return {
    title: `extract function '${name}'`,
    edits: [
      before(statement.span, `CREATE FUNCTION ${name} (${parameters}) RETURNS ${returns} AS ${body};\n`),
      { span: { file, start, end }, text: `${name}(${given})` },
    ],
  };
}

function trimmed(text: string, from: number, to: number): readonly [number, number] {
  const selected = text.slice(from, to);
  return [from + (selected.length - selected.trimStart().length), to - (selected.length - selected.trimEnd().length)];
}

/** Literals and names alone are no expression to give a name to; an expression with a query or an aggregate is no function. */
const composed: ReadonlySet<Node['kind']> = new Set([
  ...(['Unary', 'Binary', 'IsTest', 'Between', 'InList', 'Like', 'JsonGet'] as const),
  ...(['Case', 'Cast', 'Extract', 'FunctionCall'] as const),
]);
const ofRows: ReadonlySet<Node['kind']> = new Set(['Query', 'InQuery', 'AnyQuery', 'Exists', 'ScalarSubquery']);

function expressionAt(statement: Statement, start: number, end: number): Expression | undefined {
  let found: Expression | undefined;
  walk(statement, (node) => {
    // Nodes of these kinds are expressions.
    if (node.span.start === start && node.span.end === end && composed.has(node.kind)) found ??= node as Expression;
  });
  let isPlain = found !== undefined;
  if (found !== undefined)
    walk(found, (node) => {
      if (ofRows.has(node.kind) || (node.kind === 'FunctionCall' && isOverRows(node))) isPlain = false;
    });
  return isPlain ? found : undefined;
}

function isOverRows({ name, over }: FunctionCall): boolean {
  const word = name.text.toUpperCase();
  return over !== undefined || aggregateNames.includes(word) || windowNames.includes(word);
}

interface Input {
  /** As it is in the text: `:amount`, `data.amount`. */
  readonly written: string;
  readonly parameter: string;
  readonly type: string;
  readonly places: readonly { readonly start: number; readonly end: number }[];
}

function inputsOf(
  expression: Expression,
  file: SourceFile,
  statement: Statement,
  catalog: Catalog,
): readonly Input[] | undefined {
  const inputs: Input[] = [];
  const reads = [...findAll(expression, 'BindParameter'), ...findAll(expression, 'ColumnReference')];
  for (const read of reads.sort((a, b) => a.span.start - b.span.start)) {
    const { start, end } = read.span;
    const written = file.text.slice(start, end);
    const known = inputs.findIndex((input) => isSame(input.written, written));
    const type = typeOfRead(read, file, statement, catalog);
    if (type === undefined) return undefined;
    const input = inputs[known];
    if (input !== undefined) inputs[known] = { ...input, places: [...input.places, { start, end }] };
    else inputs.push({ written, parameter: parameterName(read, inputs), type, places: [{ start, end }] });
  }
  return inputs;
}

function lastName(read: BindParameter | ColumnReference): string {
  return read.kind === 'BindParameter' ? read.name.text : (read.path.at(-1)?.text ?? '');
}

function parameterName(read: BindParameter | ColumnReference, inputs: readonly Input[]): string {
  const name = lastName(read);
  let found = name;
  for (let number = 2; inputs.some(({ parameter }) => isSame(parameter, found)); number++) found = `${name}${number}`;
  return found;
}

function typeOfRead(
  read: BindParameter | ColumnReference,
  file: SourceFile,
  statement: Statement,
  catalog: Catalog,
): string | undefined {
  const name = lastName(read);
  if (read.kind === 'BindParameter') {
    const command = statement.kind === 'CreateDecision' ? statement.command.text : '';
    const block = catalog.blocks.command.find((each) => isSame(each.name, command));
    const field = block?.fields.find((each) => isSame(each.name, name));
    return field === undefined ? undefined : typeName(field.type);
  }
  const { tokens, index } = cursorAt(file, read.span.start);
  const { state, relations } = scopeAt(tokens, index, catalog);
  if (state !== undefined && statement.kind === 'CreateDecision') {
    const decision = catalog.blocks.decision.find((each) => isSame(each.name, statement.name.text));
    const column = decision?.state?.columns.find((each) => isSame(each.name, name));
    return column === undefined ? undefined : typeName(column.type);
  }
  const [first, second] = read.path;
  const ofPayload = read.path.length > 1 && [first, second].some((part) => part?.text.toLowerCase() === 'data');
  const columns = relations.flatMap((relation) => (ofPayload ? relation.payload : relation.columns));
  const types = new Set(
    columns.flatMap((column) => (isSame(column.name, name) && column.type !== undefined ? [column.type] : [])),
  );
  const [type] = types;
  return types.size === 1 ? type : undefined;
}

function bodyOf({ span }: Expression, file: SourceFile, inputs: readonly Input[]): string {
  const places = inputs.flatMap(({ parameter, places: all }) => all.map((place) => ({ ...place, parameter })));
  let text = '';
  let at = span.start;
  for (const { start, end, parameter } of places.sort((a, b) => a.start - b.start)) {
    text += file.text.slice(at, start) + printName({ text: parameter });
    at = end;
  }
  return text + file.text.slice(at, span.end);
}

/** Type that the expression has over columns of these types; undefined if it has errors. */
function typeOfBody(body: string, inputs: readonly Input[], registry: Registry): string | undefined {
  const columns = inputs.map(({ parameter, type }) => `CAST(NULL AS ${type}) AS ${printName({ text: parameter })}`);
  const text = `SELECT ${body} AS result FROM (SELECT ${['1 AS one', ...columns].join(', ')}) AS inputs`;
  const parsed = parseQuery({ name: 'extracted', text });
  if (parsed.outcome !== 'query') return undefined;
  const { value } = bindQuery(registry, parsed.query, { tables: [], cleared: true });
  const type = value?.columns[0]?.type;
  return type === undefined || type.kind === 'NULL' || type.kind === 'LIST' || type.kind === 'STRUCT'
    ? undefined
    : typeName(type);
}

function freshName(catalog: Catalog): string {
  const taken = catalog.blocks.function.map(({ name }) => name);
  let found = 'extracted';
  for (let number = 2; taken.some((name) => isSame(name, found)); number++) found = `extracted${number}`;
  return found;
}
