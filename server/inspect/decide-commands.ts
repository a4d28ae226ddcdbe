import type { JsonObject } from '../../language/values/json.ts';
import type { InspectedPage } from '../../runtime/engine/inspect.ts';
import { explainOf } from '../registry/load/guard-terms.ts';
import type { AskedDecision, InspectedBudget } from '../http/options.ts';
import type { InspectedPlace, InspectServices } from './create-inspect.ts';
import { collectDecided, type DecidedCommands } from './decided-rows.ts';
import { createTargetRows } from './inspection-tables.ts';

/** Commands that are decided without a turn of the event loop between them. */
const pageCommands = 10;

/** Decides the commands; fails with R0301 past the budget, and with `InputFailure` at the first command that cannot be decided. */
export async function decideCommands(
  { engine, isLive, domain, catalog, now, left }: InspectedPlace,
  { name, commands }: AskedDecision,
  { random, uuid }: Pick<InspectServices, 'random' | 'uuid'>,
  budget: InspectedBudget,
): Promise<DecidedCommands> {
  const decided = collectDecided(catalog, name, budget);
  const { command } = decided.shape.decision;
  const rowsOf = createTargetRows(decided.shape, { now, uuid });
  const explain = explainOf(catalog, name);
  const context = { now, random, uuid, ...(explain && { explain }) };
  const add = (page: InspectedPage): void => {
    decided.add(rowsOf(page.events), page.branches);
    left();
  };
  if (isLive) for await (const page of engine.inspectInSlices(command, commands, context, domain)) add(page);
  else
    await engine.inspect(command, pagesOf(commands), context, async (pages) => {
      for await (const page of pages) add(page);
    });
  return decided.end();
}

/** Other requests have their turn between two pages. */
async function* pagesOf(commands: readonly JsonObject[]): AsyncGenerator<readonly JsonObject[]> {
  for (let from = 0; from < commands.length; from += pageCommands) {
    await new Promise((resume) => setImmediate(resume));
    yield commands.slice(from, from + pageCommands);
  }
}
