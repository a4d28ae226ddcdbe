import { compileFiles } from '../../compiler/compile.ts';
import { formatScript } from '../../compiler/index.ts';
import { openMemoryStore } from '../../runtime/store/memory-store.ts';
import { openSession } from '../../server/session/open-session.ts';
import { outcomeJson } from '../../server/session/outcome-json.ts';
import { clauseWords } from '../../compiler/syntax/tokens/keywords.ts';
import { reservedWords } from '../../language/source/reserved-words.ts';
import { plainName, quoted, textWith, type NamedText, type Place } from './places.ts';

/** The outcome of a name at a place: it works as any other name, or is refused when it is given, or it is a fault. */
export type Verdict = 'works' | { readonly refused: string } | { readonly fault: string };

/** Parts of a text that do not depend on a name alone, each with its replacement: ids, times, and lines of the text. */
const varying: readonly (readonly [RegExp, string])[] = [
  [/\bb_[0-9a-f]{16}\b/g, 'b_'],
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'uuid'],
  [/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'instant'],
  // The members of a place follow each other, so that a field named `column` keeps its value.
  [/"statement_line":\d+/g, '"statement_line":0'],
  [/"line":\d+,"column":\d+(,"end_line":\d+,"end_column":\d+)?/g, '"place":0'],
  // A printed text quotes what must be quoted, and is laid out by its length.
  [/\\+"|\\+n|\s/g, ''],
];

/** Names that are given in a query, and no name there (docs/language.md#choices). */
const refusedInUse = /"code":"(E0211|E0212)"/;

interface Ran {
  /** Each outcome as JSON. */
  readonly said: readonly string[];
  readonly exported: string;
}

async function run(text: string): Promise<Ran> {
  const session = await openSession({ store: await openMemoryStore({ starts: 'when asked' }), version: '0.0.0' });
  try {
    const said: string[] = [];
    for await (const outcome of session.run({ name: 'names', text }, { keepGoing: true })) {
      const json = varying.reduce((all, [from, to]) => all.replace(from, to), outcomeJson(outcome));
      said.push(json);
    }
    let exported = '';
    for await (const outcome of session.run({ name: 'export', text: 'EXPORT REGISTRY;' }))
      if (outcome.kind === 'export') exported = outcome.text;
    return { said, exported };
  } finally {
    await session.close();
  }
}

/** Statements that create blocks say so once; an export holds them in another order, and a formatted text in other lines. */
const isCreation = (said: string): boolean => /"kind":"(create|apply)"/.test(said);

let plainRun: Promise<Ran> | undefined;
function ranPlainly(): Promise<Ran> {
  const { schema, use } = textWith();
  return (plainRun ??= run(schema + use));
}

/** A name as a text writes it: in quotes only where docs/language.md#text asks for them. */
export function spelled(place: Place, word: string): string {
  const reserved: readonly string[] = [
    ...reservedWords,
    ...(place === 'window' ? clauseWords : ['CURRENT_DATE', 'CURRENT_TIMESTAMP']),
  ];
  return reserved.includes(word.toUpperCase()) ? quoted(word) : word;
}

/** An `aggregate_id` in a payload is no field of a state (docs/language.md#aggregate). */
function isHidden(place: Place, word: string): boolean {
  return place === 'field of an event' && word === 'aggregate_id';
}

export async function tryName(place: Place, word: string): Promise<Verdict> {
  const named = textWith(place, word, spelled(place, word));
  const refused = problemsOf(named);
  if (refused !== undefined) return { refused };
  const expected = (await ranPlainly()).said.map((line) =>
    line.replaceAll(plainName(place), JSON.stringify(word).slice(1, -1)),
  );
  const ran = await run(named.schema + named.use);
  const use = ran.said.find((line) => refusedInUse.test(line));
  if (use !== undefined) return { refused: use };
  const fault = isHidden(place, word) ? undefined : differing(ran.said, expected);
  if (fault !== undefined) return { fault };
  const again = await run(ran.exported + named.use);
  const lost = differing(
    again.said.filter((line) => !isCreation(line)),
    ran.said.filter((line) => !isCreation(line)),
  );
  if (lost !== undefined) return { fault: `after an export: ${lost}` };
  if (again.exported !== ran.exported) return { fault: 'an export of the loaded export differs' };
  const laidOut = formatScript({ name: 'names', text: named.schema }).text ?? '';
  const formatted = problemsOf({ schema: laidOut, use: named.use });
  if (formatted !== undefined) return { fault: `after fmt: ${formatted}` };
  return 'works';
}

/** Findings of the compiler about the schema; the uses alone are parsed. */
function problemsOf({ schema }: NamedText): string | undefined {
  const { diagnostics } = compileFiles([{ name: 'names', text: schema }]);
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  return errors.length === 0 ? undefined : errors.map(({ code, message }) => `${code} ${message}`).join(' | ');
}

function differing(said: readonly string[], expected: readonly string[]): string | undefined {
  const at = expected.findIndex((line, index) => line !== said[index]);
  if (at < 0 && said.length === expected.length) return undefined;
  return `${said[at < 0 ? expected.length : at] ?? 'nothing'}\n      instead of ${expected[at] ?? 'nothing'}`;
}
