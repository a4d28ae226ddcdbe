/** Commands that are decided without effect, as rows (docs/language.md#inspections). */
import type { Soon } from '../../../language/failure/soon.ts';
import type { JsonObject } from '../../../language/values/json.ts';
import { inspectEach, type EachOptions } from '../../../runtime/engine/replay.ts';
import type { Place } from '../../place/place.ts';
import { explainOf } from '../../registry/load/guard-terms.ts';
import { identityOf, type Caller } from '../caller.ts';
import { shownRejection } from '../shown.ts';
import { createTargetRows, targetShapeOf, type ShownCommand, type TargetRows } from './target-rows.ts';

/** Commands as they are sent, in a list or in pages, which are decided in one turn. */
export type Given = readonly JsonObject[] | AsyncIterable<readonly JsonObject[]>;

/** Recorded commands, each on the state just before it. */
export interface Recorded extends Pick<EachOptions, 'after' | 'chosen' | 'giveWay'> {
  readonly limit?: number | undefined;
}

export interface DecisionOptions {
  readonly caller: Caller;
  /** The instant of commands that are given, µs since 1970. */
  readonly now: bigint;
  readonly uuid: () => string;
}

export interface DecidedPage extends TargetRows {
  readonly commands: number;
}

/** Decides the commands in a place and gives their rows as they come. Fails with `InputFailure` at the first one that cannot be decided. */
export async function inspectDecision(
  place: Place,
  decision: string,
  asked: { readonly given: Given } | { readonly recorded: Recorded },
  { caller, now, uuid }: DecisionOptions,
  take: (page: DecidedPage) => Soon<void>,
): Promise<void> {
  const { domain, engine } = place;
  const { catalog } = await place.registry();
  const shape = targetShapeOf(catalog, decision);
  const { command } = shape.decision;
  const explained = explainOf(catalog, decision);
  const rowsOf = createTargetRows(shape, {
    uuid,
    explain: (rejection) => shownRejection(explained?.(rejection) ?? rejection, { caller, domain }),
  });
  const give = (commands: readonly ShownCommand[]): Soon<void> =>
    take({ ...rowsOf(commands), commands: commands.length });
  if ('recorded' in asked) {
    const { limit = Infinity, ...which } = asked.recorded;
    let begun = 0;
    for await (const again of inspectEach(engine.store, domain, { command, rules: engine.rules, ...which })) {
      if (++begun > limit) break;
      await give([again]);
    }
    return;
  }
  const { given } = asked;
  const identity = identityOf(caller);
  const asking = { command, ...(identity && { caller: identity }) };
  if (place.isLive && isList(given)) {
    for await (const page of engine.inspectInSlices(asking, given, now, domain)) await give(page);
    return;
  }
  await engine.inspect(asking, isList(given) ? pagesOf(given) : given, now, async (pages) => {
    for await (const page of pages) await give(page);
  });
}

function isList(given: Given): given is readonly JsonObject[] {
  return Array.isArray(given);
}

/** Commands that are decided without a turn of the event loop between them. */
const pageCommands = 10;

/** Other work has its turn between two pages. */
async function* pagesOf(commands: readonly JsonObject[]): AsyncGenerator<readonly JsonObject[]> {
  for (let from = 0; from < commands.length; from += pageCommands) {
    await new Promise((resume) => setImmediate(resume));
    yield commands.slice(from, from + pageCommands);
  }
}
