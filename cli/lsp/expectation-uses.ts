/**
 * The names in the expectations of a script: events, their fields, decisions, aggregates, blocks and values of an ENUM, for definition, references and
 * rename.
 */
import { itemsOf } from '../../compiler/syntax/declarations.ts';
import { bindQuery, type Registry, type SourceFile, type SymbolUse } from '../../compiler/index.ts';
import { blockKinds } from '../../language/contract/block-kind.ts';
import type { Type } from '../../language/values/type.ts';
import { placeOf } from '../../language/source/source-file.ts';
import { readExpectations } from '../expectations/expectation.ts';
import { parsedText } from '../../compiler/editor/parsed-text.ts';

interface Text {
  readonly value: string;
  /** Within its quotes. */
  readonly start: number;
  readonly end: number;
}

/** A list or an object that is being read. */
interface Level {
  readonly isList: boolean;
  /** The key of the value that comes next, of an object. */
  key?: Text;
  /** From 0, of a list. */
  index: number;
  readonly texts: Map<string, Text>;
  readonly own: Text[];
  /** The objects below, by the key that they are under. */
  readonly below: Map<string, Level>;
}

/** Facts about the columns of rows that matter here. */
interface RowColumns {
  readonly events: readonly number[];
  readonly types: readonly Type[];
}

const noColumns: RowColumns = { events: [], types: [] };

/** Found by their form: a name that does not exist is no use of anything, which the symbols see to. */
export function expectationUses(file: SourceFile, registry: Registry): readonly SymbolUse[] {
  const lines = file.text.split('\n');
  const starts: number[] = [];
  let at = 0;
  for (const line of lines) {
    starts.push(at);
    at += line.length + 1;
  }
  return readExpectations(file.text).flatMap(({ line, end, word }) => {
    const from = starts[line - 1] ?? 0;
    const to = (starts[end - 1] ?? 0) + (lines[end - 1]?.length ?? 0);
    const columns = word.startsWith('rows') ? columnsBefore(file, line, registry) : noColumns;
    return usesWithin(file, from, to, columns, registry);
  });
}

/** A text, a sign, the beginning of a line, or anything else. */
const parts = /"((?:[^"\\\n]|\\.)*)"|([{}[\]:,])|--=|[^\s{}[\]:,"]+/g;

function usesWithin(
  file: SourceFile,
  from: number,
  to: number,
  columns: RowColumns,
  registry: Registry,
): readonly SymbolUse[] {
  const uses: SymbolUse[] = [];
  const levels: Level[] = [];
  for (const found of file.text.slice(from, to).matchAll(parts)) {
    const [whole, text, sign] = found;
    const level = levels.at(-1);
    if (sign === '{' || sign === '[') {
      levels.push({ isList: sign === '[', index: 0, texts: new Map(), own: [], below: new Map() });
    } else if (sign === '}' || sign === ']') {
      levels.pop();
      if (level !== undefined && !level.isList) uses.push(...namesOf(file, level, levels.at(-1), registry));
    } else if (level === undefined || whole === '--=' || sign === ':') continue;
    else if (sign === ',') {
      level.index++;
      delete level.key;
    } else if (text !== undefined) {
      const start = from + found.index + 1;
      const read = { value: text, start, end: start + text.length };
      if (level.isList) {
        // Only the inner list of `[["B1", "BikeRented"]]` has values.
        if (levels.length !== 2) continue;
        if (columns.events.includes(level.index)) uses.push(useOf(file, read, { kind: 'event', name: text }));
        uses.push(...valueUse(file, read, columns.types[level.index]));
      } else if (level.key === undefined) {
        level.key = read;
        level.own.push(read);
      } else level.texts.set(level.key.value, read);
    }
  }
  return uses;
}

/** Uses of names in the keys and texts of an object; tells the object around it. */
function namesOf(
  file: SourceFile,
  level: Level,
  around: Level | undefined,
  { catalog }: Registry,
): readonly SymbolUse[] {
  const { texts, below } = level;
  if (around?.key !== undefined) around.below.set(around.key.value, level);
  const uses: SymbolUse[] = [];
  const addParts = (kind: 'event' | 'decision', name: string, key: string, typed: readonly Typed[]): void => {
    for (const part of below.get(key)?.own ?? []) {
      uses.push(useOf(file, part, { kind, name, part: part.value }));
      const value = below.get(key)?.texts.get(part.value);
      const type = typed.find((each) => each.name.toLowerCase() === part.value.toLowerCase())?.type;
      if (value !== undefined) uses.push(...valueUse(file, value, type));
    }
  };
  const [event, decision, aggregate] = [texts.get('event_type'), texts.get('decision'), texts.get('stream_type')];
  if (event !== undefined) {
    uses.push(useOf(file, event, { kind: 'event', name: event.value }));
    const fields = catalog.blocks.event.find(({ name }) => name === event.value)?.fields ?? [];
    addParts('event', event.value, 'data', fields);
  }
  if (aggregate !== undefined) uses.push(useOf(file, aggregate, { kind: 'aggregate', name: aggregate.value }));
  if (decision !== undefined) {
    uses.push(useOf(file, decision, { kind: 'decision', name: decision.value }));
    const columns = catalog.blocks.decision.find(({ name }) => name === decision.value)?.state?.columns ?? [];
    addParts('decision', decision.value, 'state', columns);
  }
  const [block, name] = [texts.get('block'), texts.get('name')];
  const kind = blockKinds.find((each) => each === block?.value);
  return kind === undefined || name === undefined ? uses : [...uses, useOf(file, name, { kind, name: name.value })];
}

interface Typed {
  readonly name: string;
  readonly type: Type;
}

function useOf(file: SourceFile, { start, end }: Text, target: SymbolUse['target']): SymbolUse {
  return { span: { file, start, end }, target };
}

const soundText = /^(?:[^"\\]|\\(?:["\\/bfnrt]|u[0-9a-f]{4}))*$/i;

function valueUse(file: SourceFile, text: Text, type: Type | undefined): readonly SymbolUse[] {
  if (type?.kind !== 'STRING' || type.enum === undefined || !soundText.test(text.value)) return [];
  const { name, values } = type.enum;
  const part = JSON.parse(`"${text.value}"`) as string; // as its form says
  return values.includes(part) ? [useOf(file, text, { kind: 'enum', name, part })] : [];
}

/** The columns of the query before a line. */
function columnsBefore(file: SourceFile, line: number, registry: Registry): RowColumns {
  const { statements } = parsedText(file);
  const before = statements.findLast(({ span }) => placeOf(file, span.start).line <= line)?.statement;
  if (before?.kind !== 'QueryStatement') return noColumns;
  const scope = { tables: [], cleared: true, lenientPayload: true, storeRegistry: () => registry };
  const types = (bindQuery(registry, before.query, scope).value?.columns ?? []).map(({ type }) => type);
  const items = itemsOf(before.query);
  // A star is an unknown number of columns.
  if (items.some(({ kind }) => kind === 'SelectStar')) return { events: [], types };
  const events = items.flatMap((item, index) =>
    item.kind === 'SelectExpression' &&
    item.expression.kind === 'ColumnReference' &&
    item.expression.path.at(-1)?.text.toLowerCase() === 'event_type'
      ? [index]
      : [],
  );
  return { events, types };
}
