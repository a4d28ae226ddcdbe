import type { Domain } from '../../language/contract/domain.ts';
import { Failure } from '../../language/failure/failure.ts';
import type { Store } from '../../runtime/store/store.ts';
import { readAllowed } from '../compare/allowed.ts';
import { compareRows, rowsOfRelations, type RowChanges } from '../compare/relation-rows.ts';
import { openComparedStore, readFiles, readSide } from '../compare/registry-side.ts';
import { breaksAny, judge, showDifferences } from '../compare/show-differences.ts';
import { storedDifferences } from '../compare/stored-differences.ts';
import { schemaPaths } from '../compile-paths.ts';
import type { Run } from '../declaration.ts';
import { usageFault } from '../exit-fault.ts';
import { writeJsonLine } from '../output/json-line.ts';
import { withProgress } from '../progress.ts';
import { resolveSettings } from '../settings/settings.ts';
import { productVersion } from '../version.ts';
import { allowFlags, differencesOf } from './diff.ts';

interface Reading {
  /** Events read under the new definitions. */
  readonly events: number;
  /** The first that cannot be read. */
  readonly unreadable: readonly string[];
  /** Relations whose folds do not equal a computation from the events. */
  readonly folds: readonly string[];
  /** Relations whose rows differ under the definitions in force. */
  readonly relations: readonly (
    | ({ readonly name: string } & RowChanges)
    | { readonly name: string; readonly problem: string }
  )[];
}

/** `schemac verify <paths…> --data`: everything of `diff`, then all that is stored, read and computed under the files. */
export const runVerify: Run = async (shell, words, flags) => {
  const paths = schemaPaths(words, resolveSettings(shell, flags));
  const isAllowed = readAllowed(allowFlags(flags));
  const store = await openComparedStore(shell, flags);
  if (store === undefined) throw usageFault('verify reads a store: name its directory with --data');
  try {
    const files = await readFiles(shell, paths);
    const old = await readSide(shell, 'log', store);
    const differences = judge(await differencesOf(old, files, store), isAllowed);
    const { served } = await storedDifferences(files.sources, store);
    const { createDomainLoader } = await import('../../server/registry/load/domain-loader.ts');
    const before = await createDomainLoader({ version: productVersion() }).load(old.catalog);
    const reading =
      served === undefined
        ? undefined
        : await withProgress(shell, 'reading the store under both', () => readUnderBoth(store, before, served.domain));
    const failed =
      breaksAny(differences) || (reading !== undefined && reading.unreadable.length + reading.folds.length > 0);
    if (flags['json'] === true)
      writeJsonLine(shell.output, { breaks: failed, differences, ...(reading && { reading }) });
    else {
      showDifferences(shell.output, differences);
      shell.output.write(
        reading === undefined ? 'nothing is read: stored events forbid the change\n' : readingText(reading),
      );
    }
    return failed ? 1 : 0;
  } finally {
    await store.close();
  }
};

async function readUnderBoth(store: Store, before: Domain, after: Domain): Promise<Reading> {
  const { withoutFolds } = await import('../../runtime/store/read-model/without-folds.ts');
  const decoded = await decodeAll(store, after);
  if (decoded.unreadable.length > 0) return { ...decoded, folds: [], relations: [] };
  const was = await rowsOfRelations(store, before, before.readModel);
  const is = await rowsOfRelations(store, after, after.readModel);
  const scanned = await rowsOfRelations(store, after, withoutFolds(after.readModel));
  const folds = [...is].filter(([name, rows]) => compareRows(scanned.get(name) ?? rows, rows) !== undefined);
  const relations = [...is].flatMap(([name, rows]) => {
    const known = was.get(name);
    const changes = known === undefined ? undefined : compareRows(known, rows);
    return changes === undefined ? [] : [{ name, ...changes }];
  });
  return { ...decoded, folds: folds.map(([name]) => name), relations };
}

const mostNamed = 5;

/** Decodes every stored event, also those of aggregates that no query reads. */
async function decodeAll(store: Store, domain: Domain): Promise<Pick<Reading, 'events' | 'unreadable'>> {
  const { createHandlers } = await import('../../runtime/engine/handlers.ts');
  const handlers = createHandlers(domain);
  const unreadable: string[] = [];
  let events = 0;
  for await (const entry of store.read(1)) {
    if (entry.kind !== 'command') continue;
    for (const event of entry.events) {
      events += 1;
      try {
        handlers.reader(event.type).values(event, entry.at);
      } catch (error) {
        // A TypeError is a record that its definition cannot have written.
        if (!(error instanceof Failure) && !(error instanceof TypeError)) throw error;
        if (unreadable.length < mostNamed)
          unreadable.push(`event ${event.position} (${event.type}, version ${event.version})`);
      }
    }
  }
  return { events, unreadable };
}

function readingText({ events, unreadable, folds, relations }: Reading): string {
  const lines = [
    unreadable.length === 0
      ? `${events} ${events === 1 ? 'event' : 'events'} read under the new definitions`
      : `events that cannot be read: ${unreadable.join('; ')}`,
    ...folds.map((name) => `the folds of ${name} differ from a computation over its events`),
    ...relations.map((relation) =>
      'problem' in relation
        ? `${relation.name}: not compared: ${relation.problem}`
        : `${relation.name}: ${relation.before} rows before, ${relation.after} after: ${relation.added} added, ${relation.gone} gone, ${relation.changed} changed`,
    ),
  ];
  if (unreadable.length === 0 && folds.length === 0) lines.push('every fold equals a computation over its events');
  if (unreadable.length === 0 && relations.length === 0)
    lines.push('every relation that exists before and after has the same rows');
  return `${lines.join('\n')}\n`;
}
