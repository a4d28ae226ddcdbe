import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Domain } from '../../language/contract/domain.ts';
import type { Store } from '../../runtime/store/store.ts';
import { openComparedStore, momentOfWord, readFiles, readSide } from '../compare/registry-side.ts';
import { readExpected } from '../compare/expected-differences.ts';
import { compareRows, rowsOfRelations } from '../compare/relation-rows.ts';
import { createRehearsalReport, type ProjectionChanges } from '../compare/rehearsal-report.ts';
import { storedDifferences } from '../compare/stored-differences.ts';
import { schemaPaths } from '../compile-paths.ts';
import type { Run } from '../declaration.ts';
import { environmentFault, inputFault, usageFault } from '../exit-fault.ts';
import { withProgress } from '../progress.ts';
import { resolveSettings, type Flags } from '../settings/settings.ts';
import type { Shell } from '../shell.ts';
import { productVersion } from '../version.ts';

/**
 * `schemac rehearse <paths…> --data`: history's commands under the files. Status 1 if an outcome or a projection differs that `--expect` does
 * not list, 3 if there is no recorded command to decide.
 */
export const runRehearse: Run = async (shell, words, flags) => {
  const paths = schemaPaths(words, resolveSettings(shell, flags));
  const expected = readExpected(expectedText(shell, flags));
  const store = await openComparedStore(shell, flags);
  if (store === undefined) throw usageFault('rehearse reads a store: name it with --data or --eventstore');
  try {
    const files = await readFiles(shell, paths);
    const old = await readSide(shell, 'log', store);
    const { served, differences } = await storedDifferences(files.compile, store);
    if (served === undefined)
      throw inputFault(
        `stored events forbid the change: ${differences[0]?.message ?? ''}; schemac diff log ${paths.join(' ')} says more`,
      );
    const { createDomainLoader } = await import('../../server/registry/load/domain-loader.ts');
    const before = await createDomainLoader({ version: productVersion() }).load(old.catalog);
    const decision = decisionOf(flags, before, served.domain);
    const since =
      typeof flags['since'] === 'string' ? (await store.moment(momentOfWord(flags['since'], '--since'))).entry : 0;
    const report = createRehearsalReport(shell.output, { json: flags['json'] === true, expected });
    const projections = await withProgress(shell, 'deciding recorded commands again', async () => {
      const { rehearse } = await import('../../runtime/engine/rehearse.ts');
      const { explainOf } = await import('../../server/registry/load/guard-terms.ts');
      const options = {
        before,
        after: served.domain,
        since,
        explain: (name: string) => explainOf(served.catalog, name),
        ...(decision !== undefined && { decision }),
      };
      for await (const command of rehearse(store, options)) {
        report.add(command);
        await shell.output.drained();
      }
      return projectionChanges(store, before, served.domain);
    });
    const { decided, unexpected } = report.end(projections);
    if (decided === 0)
      throw environmentFault(
        "no recorded command could be decided again: envelope.commands = 'emitted' or 'all' of the event store keeps commands with their arguments",
      );
    return unexpected ? 1 : 0;
  } finally {
    await store.close();
  }
};

function expectedText(shell: Shell, { expect }: Flags): { readonly path: string; readonly text: string } | undefined {
  if (typeof expect !== 'string') return undefined;
  try {
    return { path: expect, text: readFileSync(resolve(shell.cwd, expect), 'utf8') };
  } catch (error) {
    throw inputFault(`--expect ${expect}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function decisionOf({ decision }: Flags, before: Domain, after: Domain): string | undefined {
  if (typeof decision !== 'string') return undefined;
  const names = [...new Set([...before.decisions, ...after.decisions].map(({ name }) => name))];
  if (names.includes(decision)) return decision;
  throw usageFault(`--decision ${decision}: there is no decision of that name; there are ${names.join(', ')}`);
}

/** The rows of each projection that exists before and after, over the recorded events. */
async function projectionChanges(store: Store, before: Domain, after: Domain): Promise<readonly ProjectionChanges[]> {
  const only = (domain: Domain): Domain => ({ ...domain, aggregates: [] });
  const was = await rowsOfRelations(store, only(before), before.readModel);
  const is = await rowsOfRelations(store, only(after), after.readModel);
  return [...is].flatMap(([name, rows]) => {
    const known = was.get(name);
    const changes = known === undefined ? undefined : compareRows(known, rows);
    return changes === undefined ? [] : [{ name, ...changes }];
  });
}
