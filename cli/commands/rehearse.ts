import type { Domain } from '../../language/contract/domain.ts';
import type { Store } from '../../runtime/store/store.ts';
import { comparedServer } from '../compare/compared-server.ts';
import { openComparedStore, momentOfWord, readFiles, readSide } from '../compare/registry-side.ts';
import type { ComparedServer } from '../remote/server.ts';
import { readExpected, type ExpectedDifferences } from '../compare/expected-differences.ts';
import { expectedText } from '../compare/expected-text.ts';
import { createRehearsalReport, type RehearsalReport } from '../compare/rehearsal-report.ts';
import { storedDifferences } from '../compare/stored-differences.ts';
import { schemaPaths } from '../compile-paths.ts';
import type { Run } from '../declaration.ts';
import { environmentFault, inputFault, usageFault, type ExitStatus } from '../exit-fault.ts';
import { withProgress } from '../progress.ts';
import type { ProjectionChanges } from '../../server/operation/rehearse/rehearsal-json.ts';
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
  const server = comparedServer(shell, flags);
  if (server !== undefined) return rehearsedBy(server, shell, { paths, flags, expected });
  const store = await openComparedStore(shell, flags);
  if (store === undefined)
    throw usageFault('rehearse reads a store: name it with --data or --eventstore, or a server with --url');
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
      typeof flags['since'] === 'string' ? (await store.log.moment(momentOfWord(flags['since'], '--since'))).entry : 0;
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
    return statusOf(report.end(projections));
  } finally {
    await store.close();
  }
};

function statusOf({ decided, unexpected }: ReturnType<RehearsalReport['end']>): ExitStatus {
  if (decided === 0)
    throw environmentFault(
      "no recorded command could be decided again: envelope.commands = 'emitted' or 'all' of the event store keeps commands with their arguments",
    );
  return unexpected ? 1 : 0;
}

/** Rehearses by a running server: it decides its own log's commands under the changes of the files, and sends all differences at once. */
async function rehearsedBy(
  server: ComparedServer,
  shell: Shell,
  {
    paths,
    flags,
    expected,
  }: { readonly paths: readonly string[]; readonly flags: Flags; readonly expected: ExpectedDifferences },
): Promise<ExitStatus> {
  const { changeText, rehearseOverHttp } = await import('../remote/rehearsal.ts');
  const { decision, since } = flags;
  if (typeof since === 'string') momentOfWord(since, '--since');
  const files = await readFiles(shell, paths);
  const old = await readSide(shell, 'log', undefined, server);
  const asked = {
    schema: await changeText(old.catalog, files.catalog),
    ...(typeof decision === 'string' && { decision }),
    ...(typeof since === 'string' && { since }),
  };
  const found = await withProgress(shell, 'deciding recorded commands again', () => rehearseOverHttp(server, asked));
  const report = createRehearsalReport(shell.output, { json: flags['json'] === true, expected });
  for (const command of found.differences) report.add(command);
  const { commands, undecidable, decisions, projections } = found;
  report.count(decisions, { commands, undecidable });
  return statusOf(report.end(projections));
}

function decisionOf({ decision }: Flags, before: Domain, after: Domain): string | undefined {
  if (typeof decision !== 'string') return undefined;
  const names = [...new Set([...before.decisions, ...after.decisions].map(({ name }) => name))];
  if (names.includes(decision)) return decision;
  throw usageFault(`--decision ${decision}: there is no decision of that name; there are ${names.join(', ')}`);
}

/** The rows of each projection that exists before and after, over the recorded events. */
async function projectionChanges(store: Store, before: Domain, after: Domain): Promise<readonly ProjectionChanges[]> {
  const { changedRelations, rowsOfRelations } = await import('../../server/operation/rehearse/relation-rows.ts');
  const under = async ({ projections, readModel }: Domain): ReturnType<typeof rowsOfRelations> => {
    await store.tables.adopt(readModel);
    return rowsOfRelations(store, { aggregates: [], projections });
  };
  const was = await under(before);
  const is = await under(after);
  return changedRelations(was, is);
}
