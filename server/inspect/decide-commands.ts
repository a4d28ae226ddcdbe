import type { JsonObject } from '../../language/values/json.ts';
import type { DecidedCommand } from '../../runtime/engine/dry-turn.ts';
import type { AskedDecision } from '../http/options.ts';
import type { InspectedPlace } from './create-inspect.ts';
import { collectDecided, type DecidedCommands, type DecidedRowsOptions } from './decided-rows.ts';

/** Commands that are decided without a turn of the event loop between them. */
const pageCommands = 10;

/** Decides the commands; fails with R0301 past the budget, and with `InputFailure` at the first command that cannot be decided. */
export async function decideCommands(
  { engine, isLive, domain, catalog, now, left }: InspectedPlace,
  { name, commands }: AskedDecision,
  options: DecidedRowsOptions,
): Promise<DecidedCommands> {
  const decided = collectDecided(catalog, name, options);
  const { command } = decided;
  const add = (page: readonly DecidedCommand[]): void => {
    decided.add(page);
    left();
  };
  if (isLive) for await (const page of engine.inspectInSlices(command, commands, now, domain)) add(page);
  else
    await engine.inspect(command, pagesOf(commands), now, async (pages) => {
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
