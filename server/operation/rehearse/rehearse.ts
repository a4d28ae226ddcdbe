/** A rehearsal for a caller (docs/production.md#what-would-have-been-decided): recorded commands and projections under other definitions. */
import { findBlock } from '../../../compiler/index.ts';
import { fail } from '../../../language/failure/failure.ts';
import { rehearse } from '../../../runtime/engine/rehearse.ts';
import type { GiveWay } from '../../../runtime/store/give-way.ts';
import type { AskedMoment, Moment } from '../../../runtime/store/journal/moment.ts';
import { openPlace } from '../../place/open-place.ts';
import type { Place } from '../../place/place.ts';
import { explainOf } from '../../registry/load/guard-terms.ts';
import type { ResultBudget } from '../room/within-room.ts';
import {
  countRehearsed,
  differenceJson,
  rehearsalMembers,
  type ProjectionChanges,
  type Rehearsed,
} from './rehearsal-json.ts';
import { changedRelations, rowsOfRelations, type RelationRows } from './relation-rows.ts';

export interface RehearsalAsked {
  readonly decision: string | undefined;
  /** Only commands after this moment. */
  readonly since: AskedMoment | undefined;
  /** The end of the log. */
  readonly end: Moment;
  readonly left: () => number;
  /** Stops it. */
  readonly signal: AbortSignal | undefined;
  readonly budget: ResultBudget;
  readonly giveWay: GiveWay;
}

/** The JSON of a report, and the number of commands that were decided again. */
export async function rehearsalText(
  before: Place,
  after: Place,
  { decision, since, end, left, signal, budget, giveWay }: RehearsalAsked,
): Promise<{ readonly text: string; readonly commands: number }> {
  const { store, rules } = before.engine;
  const { catalog } = await after.registry();
  const differences: string[] = [];
  let bytes = 0;
  const rehearsed: Rehearsed = { commands: 0, undecidable: 0, decisions: new Map() };
  const options = {
    before: before.domain,
    after: after.domain,
    since: since === undefined ? 0 : (await store.log.moment(since)).entry,
    explain: (name: string) =>
      findBlock(catalog, 'decision', name) === undefined ? undefined : explainOf(catalog, name),
    rules,
    giveWay,
    ...(decision !== undefined && { decision }),
  };
  for await (const command of rehearse(store, options)) {
    if (!countRehearsed(rehearsed, command)) continue;
    const text = differenceJson(command);
    bytes += 2 * text.length;
    if (bytes > budget.bytes) throw fail('R0301', { what: 'bytes', limit: String(budget.bytes) });
    budget.takes(bytes);
    differences.push(text);
  }
  const changes = await projectionChanges(before, after, { end, left, signal });
  return {
    text: `{"differences":[${differences.join(',')}],${rehearsalMembers(rehearsed, changes)}}\n`,
    commands: rehearsed.commands,
  };
}

/** Rows of a relation that are compared. */
const mostRows = 50_000;

async function projectionChanges(
  before: Place,
  after: Place,
  { end: moment, left, signal }: Pick<RehearsalAsked, 'end' | 'left' | 'signal'>,
): Promise<readonly ProjectionChanges[]> {
  const stoppable = signal === undefined ? {} : { signal };
  const rowsIn = async (place: Place): Promise<ReadonlyMap<string, RelationRows>> => {
    const { engine, domain, close } = await openPlace(place, { moment, milliseconds: left(), ...stoppable });
    try {
      return await rowsOfRelations(engine.store, { aggregates: [], projections: domain.projections }, () => ({
        rows: mostRows,
        milliseconds: left(),
        ...stoppable,
      }));
    } finally {
      await close();
    }
  };
  return changedRelations(await rowsIn(before), await rowsIn(after));
}
