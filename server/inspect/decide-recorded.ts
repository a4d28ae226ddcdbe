/** Recorded commands of a log, decided again for a request (docs/http.md#inspections), in slices between which other requests have their turn. */
import { decidesOnSensitive, findBlock, type Catalog } from '../../compiler/index.ts';
import { fail } from '../../language/failure/failure.ts';
import { inspectEach } from '../../runtime/engine/replay.ts';
import { rehearse, type RehearsalKind } from '../../runtime/engine/rehearse.ts';
import type { Engine } from '../../runtime/engine/engine.ts';
import type { Moment } from '../../runtime/store/past/moment.ts';
import { explainOf } from '../registry/load/guard-terms.ts';
import { openPlace } from '../place/open-place.ts';
import type { CompiledPlace, Place } from '../place/place.ts';
import type { AskedRecorded, AskedRehearsal, InspectedBudget } from '../http/options.ts';
import { collectDecided, type DecidedCommands, type DecidedRowsOptions } from './decided-rows.ts';
import type { InspectedPlace } from './create-inspect.ts';
import { differenceJson, rehearsalMembers, type ProjectionChanges, type RehearsalCounts } from './rehearsal-json.ts';
import { changedRelations, rowsOfRelations, type RelationRows } from './relation-rows.ts';

/** The time that work takes before other requests have their turn, in ms. */
const sliceMilliseconds = 1;

function createSlices(left: () => number): () => Promise<void> | undefined {
  let began = performance.now();
  return () => {
    if (performance.now() - began < sliceMilliseconds) return undefined;
    left();
    return new Promise((resume) =>
      setImmediate(() => {
        began = performance.now();
        resume();
      }),
    );
  };
}

async function afterEntry(engine: Engine, since: AskedRecorded['since']): Promise<number> {
  return since === undefined ? 0 : (await engine.store.moment(since)).entry;
}

/** `AS OF EACH`: each recorded command of a decision against the state just before it. Fails with R0301 beyond a limit. */
export async function decideRecorded(
  { engine, domain, catalog, left }: InspectedPlace,
  { name, since, chosen, limit, most }: AskedRecorded,
  options: DecidedRowsOptions,
): Promise<DecidedCommands> {
  const decided = collectDecided(catalog, name, options);
  const { command } = decided;
  const after = await afterEntry(engine, since);
  const pause = createSlices(left);
  let commands = 0;
  const asked = { command, after, pause, rules: engine.rules, ...(chosen && { chosen }) };
  for await (const again of inspectEach(engine.store, domain, asked)) {
    if (commands === limit) break;
    commands += 1;
    if (commands > most) throw fail('R0301', { what: 'rows', limit: `${most} recorded commands` });
    decided.add([again]);
  }
  return decided.end();
}

interface RehearsalPlace {
  readonly before: Place;
  readonly after: CompiledPlace;
  /** The end of the log. */
  readonly end: Moment;
  readonly left: () => number;
  readonly budget: InspectedBudget;
}

/** The decisions among those asked for that depend on SENSITIVE values before or after. */
export function sensitiveDecisions({ name }: AskedRehearsal, ...catalogs: readonly Catalog[]): readonly string[] {
  const found = catalogs.flatMap((catalog) =>
    catalog.blocks.decision.filter((block) => (name ?? block.name) === block.name && decidesOnSensitive(block)),
  );
  return [...new Set(found.map((block) => block.name))];
}

/** `schemac rehearse` for a request: the JSON of its report. */
export async function rehearseRecorded(
  { before, after, end, left, budget }: RehearsalPlace,
  { name, since }: AskedRehearsal,
): Promise<{ readonly text: string; readonly commands: number }> {
  const decisions = new Map<string, Record<keyof RehearsalCounts, number>>();
  const differences: string[] = [];
  let [commands, undecidable, bytes] = [0, 0, 0];
  const { engine } = before;
  const { catalog } = after.registry();
  const options = {
    before: before.domain,
    after: after.domain,
    since: await afterEntry(engine, since),
    explain: (decision: string) =>
      findBlock(catalog, 'decision', decision) === undefined ? undefined : explainOf(catalog, decision),
    rules: engine.rules,
    pause: createSlices(left),
    ...(name !== undefined && { decision: name }),
  };
  for await (const command of rehearse(engine.store, options)) {
    commands += 1;
    const kind: RehearsalKind = command.kind;
    if (kind === 'not_decidable') {
      undecidable += 1;
      continue;
    }
    const counts = decisions.get(command.decision) ?? noCounts();
    decisions.set(command.decision, counts);
    counts[kind] += 1;
    if (kind === 'same') continue;
    const text = differenceJson(command);
    bytes += 2 * text.length;
    if (bytes > budget.bytes) throw fail('R0301', { what: 'bytes', limit: String(budget.bytes) });
    budget.takes(bytes);
    differences.push(text);
  }
  const projections = await projectionChanges({ before, after, end, left });
  const rest = rehearsalMembers(decisions, projections, { commands, undecidable });
  return { text: `{"differences":[${differences.join(',')}],${rest}}\n`, commands };
}

function noCounts(): Record<keyof RehearsalCounts, number> {
  return { same: 0, other_events: 0, now_rejected: 0, now_accepted: 0, failed: 0 };
}

/** Rows of a relation that are compared. */
const mostRows = 50_000;

async function projectionChanges({
  before,
  after,
  end,
  left,
}: Omit<RehearsalPlace, 'budget'>): Promise<readonly ProjectionChanges[]> {
  const rowsUnder = async (place: Place): Promise<ReadonlyMap<string, RelationRows>> => {
    const past = await openPlace(place, { moment: end, milliseconds: left() });
    try {
      const limits = (): { readonly rows: number; readonly milliseconds: number } => ({
        rows: mostRows,
        milliseconds: left(),
      });
      return await rowsOfRelations(past.engine.store, { aggregates: [], projections: past.domain.projections }, limits);
    } finally {
      await past.close();
    }
  };
  return changedRelations(await rowsUnder(before), await rowsUnder(after));
}
