/** The names in the expectations of a script: events, their fields, decisions, aggregates and blocks, for definition, references and rename. */
import { itemsOf } from '../../compiler/syntax/declarations.ts';
import { parseScript, type SourceFile, type SymbolUse } from '../../compiler/index.ts';
import { blockKinds } from '../../language/contract/block-kind.ts';
import { placeOf } from '../../language/source/source-file.ts';
import { readExpectations } from '../expectations/expectation.ts';

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
  /** The keys of the objects below, by the key that they are under. */
  readonly below: Map<string, readonly Text[]>;
}

/** Found by their form: a name that does not exist is no use of anything, which the symbols see to. */
export function expectationUses(file: SourceFile): readonly SymbolUse[] {
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
    const eventColumns = word.startsWith('rows') ? eventColumnsBefore(file, line) : [];
    return usesWithin(file, from, to, eventColumns);
  });
}

/** A text, a sign, the beginning of a line, or anything else. */
const parts = /"((?:[^"\\\n]|\\.)*)"|([{}[\]:,])|--=|[^\s{}[\]:,"]+/g;

function usesWithin(file: SourceFile, from: number, to: number, eventColumns: readonly number[]): SymbolUse[] {
  const uses: SymbolUse[] = [];
  const levels: Level[] = [];
  for (const found of file.text.slice(from, to).matchAll(parts)) {
    const [whole, text, sign] = found;
    const level = levels.at(-1);
    if (sign === '{' || sign === '[') {
      levels.push({ isList: sign === '[', index: 0, texts: new Map(), own: [], below: new Map() });
    } else if (sign === '}' || sign === ']') {
      levels.pop();
      if (level !== undefined && !level.isList) close(file, level, levels.at(-1), uses);
    } else if (level === undefined || whole === '--=' || sign === ':') continue;
    else if (sign === ',') {
      level.index++;
      delete level.key;
    } else if (text !== undefined) {
      const start = from + found.index + 1;
      const read = { value: text, start, end: start + text.length };
      if (level.isList) {
        // Of `[["B1", "BikeRented"]]` the list within.
        if (levels.length === 2 && eventColumns.includes(level.index))
          uses.push({ span: { file, start, end: read.end }, target: { kind: 'event', name: text } });
      } else if (level.key === undefined) {
        level.key = read;
        level.own.push(read);
      } else level.texts.set(level.key.value, read);
    }
  }
  return uses;
}

/** What the keys and texts of an object name; the object around learns of its keys. */
function close(file: SourceFile, { texts, own, below }: Level, around: Level | undefined, uses: SymbolUse[]): void {
  const use = ({ start, end }: Text, target: SymbolUse['target']): void =>
    void uses.push({ span: { file, start, end }, target });
  if (around?.key !== undefined) around.below.set(around.key.value, own);
  const [event, decision, aggregate] = [texts.get('event_type'), texts.get('decision'), texts.get('stream_type')];
  if (event !== undefined) {
    use(event, { kind: 'event', name: event.value });
    for (const key of below.get('data') ?? []) use(key, { kind: 'event', name: event.value, part: key.value });
  }
  if (aggregate !== undefined) use(aggregate, { kind: 'aggregate', name: aggregate.value });
  if (decision !== undefined) {
    use(decision, { kind: 'decision', name: decision.value });
    for (const key of below.get('state') ?? []) use(key, { kind: 'decision', name: decision.value, part: key.value });
  }
  const [block, name] = [texts.get('block'), texts.get('name')];
  const kind = blockKinds.find((each) => each === block?.value);
  if (kind !== undefined && name !== undefined) use(name, { kind, name: name.value });
}

/** The places of `event_type` among the columns of the query before a line. */
function eventColumnsBefore(file: SourceFile, line: number): readonly number[] {
  const { statements } = parseScript(file);
  const before = statements.findLast(({ span }) => placeOf(file, span.start).line <= line)?.statement;
  if (before?.kind !== 'QueryStatement') return [];
  const items = itemsOf(before.query);
  // A star is an unknown number of columns.
  if (items.some(({ kind }) => kind === 'SelectStar')) return [];
  return items.flatMap((item, index) =>
    item.kind === 'SelectExpression' &&
    item.expression.kind === 'ColumnReference' &&
    item.expression.path.at(-1)?.text.toLowerCase() === 'event_type'
      ? [index]
      : [],
  );
}
