/**
 * Inspections whose result fits in a budget (docs/http.md#inspections): commands that are decided, a projection that is computed, or recorded
 * commands that are rehearsed under other definitions. Takes what a caller asks, gives tables; writes nothing unless the caller names a target.
 */
import { decidesOnSensitive, findBlock, type Registry } from '../../../compiler/index.ts';
import type { Domain } from '../../../language/contract/domain.ts';
import type { ProjectionDefinition } from '../../../language/contract/relation.ts';
import type { Selection } from '../../../language/contract/selection.ts';
import { fail } from '../../../language/failure/failure.ts';
import { rowBytes } from '../../../language/values/value-bytes.ts';
import type { Table } from '../../../runtime/engine/outcome.ts';
import { raw, type Raw } from '../../../runtime/engine/raw.ts';
import { giveWay } from '../../../runtime/store/give-way.ts';
import type { Row } from '../../../runtime/store/store.ts';
import { createRowFiller } from '../../../runtime/store/side/table-rows.ts';
import { tryOn } from '../../place/candidate.ts';
import { endOf, openPlace } from '../../place/open-place.ts';
import type { Place } from '../../place/place.ts';
import type { DomainLoader } from '../../registry/load/domain-loader.ts';
import { allow } from '../allow.ts';
import { filteredBy } from '../asker.ts';
import { selectRelation, selectThen, type CompiledSelection } from '../bind/select-relation.ts';
import { setsNow } from '../bind/sets-now.ts';
import type { Caller } from '../caller.ts';
import { rehearsalText } from '../rehearse/rehearse.ts';
import { HungUp } from '../room/busy.ts';
import { fewAtOnce } from '../room/few-at-once.ts';
import { reshaped, shownTable, type Shown } from '../shown.ts';
import { describeEach } from '../diagnostic-text.ts';
import { TextRefused } from '../text-refused.ts';
import type {
  AskedDecision,
  AskedProjection,
  AskedRecorded,
  AskedRehearsal,
  Inspect,
  InspectAnswer,
  InspectAsked,
  InspectOptions,
} from './asked.ts';
import { inspectDecision, type DecidedPage, type Recorded } from './decision.ts';
import { keepDecided, keepProjected } from './keep-inspected.ts';
import type { InspectLimits } from './inspect-limits.ts';
import { branchColumns, eventOf, plainColumn, withoutEvent, targetColumns, targetShapeOf } from './target-rows.ts';

export interface InspectServices {
  readonly now: (domain: Domain) => Place;
  /** The definitions that a candidate changes. */
  readonly registry: () => Promise<Registry>;
  readonly loader: DomainLoader;
  /** µs since 1970. */
  readonly clock: () => bigint;
  readonly uuid: () => string;
  readonly limits: InspectLimits;
}

/** Number of commands above which they are decided on a copy, apart from the live ones. */
const fewCommands = 100;

export function createInspect(services: InspectServices): Inspect {
  const { inspections, inspectionsWaiting } = services.limits;
  const gate = fewAtOnce(inspections, inspectionsWaiting, 'inspections');
  const pastGate = fewAtOnce(inspections, inspectionsWaiting, 'inspections apart from the present state');
  return (asked, options) =>
    (isOfPast(asked) ? pastGate : gate)(() => inspect(services, asked, options), options.signal);
}

/** Tables are computed for it, which takes long: others do not wait for that. */
function isOfPast(asked: InspectAsked): boolean {
  const { kind } = asked.inspected;
  return asked.asOf !== undefined || kind === 'recorded' || kind === 'rehearsal' || isApart(asked);
}

/** Definitions of a candidate have no read model of the present, and many commands do not hold live ones up. */
function isApart({ inspected, schema }: InspectAsked): boolean {
  return schema !== undefined || (inspected.kind === 'decision' && inspected.commands.length > fewCommands);
}

/** An inspection of a caller. */
export interface Begun {
  readonly services: Pick<InspectServices, 'clock' | 'uuid'>;
  /** The place as it is in force. */
  readonly present: Place;
  readonly asked: InspectAsked;
  readonly options: InspectOptions;
  /** Milliseconds, at least 1; throws when the time is over, or its caller has left. */
  readonly left: () => number;
}

/** The tables of an inspection; `branches` of a decision. */
interface Made {
  readonly table: Raw<Table>;
  readonly branches?: Raw<Table>;
}

async function inspect(
  services: InspectServices,
  asked: InspectAsked,
  options: InspectOptions,
): Promise<InspectAnswer> {
  const { inspectMilliseconds: milliseconds } = services.limits;
  const { signal } = options;
  const end = performance.now() + Math.min(milliseconds, options.budget.milliseconds);
  const left = (): number => {
    if (signal?.aborted === true) throw new HungUp();
    const rest = Math.floor(end - performance.now());
    if (rest < 1) throw fail('R0301', { what: 'time', limit: `${milliseconds} ms` });
    return rest;
  };
  const present = services.now(options.domain);
  const begun = { services, present, asked, options, left };
  const { inspected, schema } = asked;
  let place = present;
  if (schema !== undefined) {
    const { registry, loader } = services;
    const file = { name: 'schema', text: schema };
    const tried = await tryOn({ ...present, registry }, file, { loader, mayGoOn: left });
    if (tried.place === undefined) throw new TextRefused('schema', 'invalid', describeEach(tried.diagnostics));
    ({ place } = tried);
  }
  if (inspected.kind === 'rehearsal') return rehearsed(begun, inspected, place);
  await checkBlock(place, inspected, options.caller);
  const asOf = asked.asOf === undefined ? undefined : await present.engine.store.log.moment(asked.asOf);
  const isOfEnd = asOf === undefined && inspected.kind !== 'recorded' && isApart(asked);
  const moment = isOfEnd ? await endOf(present, services.clock()) : asOf;
  if (moment !== undefined) place = await openPlace(place, { moment, milliseconds: left(), ...(signal && { signal }) });
  try {
    const { table, branches } = await (inspected.kind === 'projection'
      ? projected(begun, place, inspected)
      : decided(begun, place, inspected));
    return {
      answer: 'inspected',
      table: shown(table, options.caller),
      ...(branches && { branches: shown(branches, options.caller) }),
      ...(asOf && { asOf }),
    };
  } finally {
    await place.close();
  }
}

/** Refuses a block that is not there, and a decision that shows SENSITIVE values to a caller who may not read them. */
async function checkBlock(
  place: Place,
  { kind, name }: AskedDecision | AskedRecorded | AskedProjection,
  caller: Caller,
): Promise<void> {
  const of = kind === 'projection' ? 'projection' : 'decision';
  const block = findBlock((await place.registry()).catalog, of, name);
  // A block of another case is another one, as in a path.
  if (block?.name !== name) throw fail('R0106', { kind: of, name, known: [] });
  if (block.kind === 'decision' && decidesOnSensitive(block)) requireClearance(caller, [name]);
}

function requireClearance(caller: Caller, decisions: readonly string[]): void {
  const because = (decision: string): string =>
    `decision '${decision}' depends on SENSITIVE values, so inspecting it needs the right 'sensitive:read'`;
  allow(caller, 'sensitive:read', () => decisions.map(because).join('; '));
}

/** The recorded commands under the definitions of `after`. */
async function rehearsed(
  { services, present: before, options: { caller, budget, signal }, left }: Begun,
  { name, since }: AskedRehearsal,
  after: Place,
): Promise<InspectAnswer> {
  const catalogs = [(await before.registry()).catalog, (await after.registry()).catalog];
  const sensitive = catalogs.flatMap((catalog) =>
    catalog.blocks.decision.filter((block) => (name ?? block.name) === block.name && decidesOnSensitive(block)),
  );
  if (sensitive.length > 0) requireClearance(caller, [...new Set(sensitive.map((block) => block.name))]);
  const end = await endOf(before, services.clock());
  const asked = { end, left, budget, signal, giveWay: giveWay(sliceMilliseconds, left), decision: name, since };
  return { answer: 'rehearsed', ...(await rehearsalText(before, after, asked)) };
}

/** The time that work takes before other requests have their turn, in ms. */
const sliceMilliseconds = 1;

/** The rows of the commands, and those of their branches; R0301 beyond a limit. */
async function decided(begun: Begun, place: Place, inspected: AskedDecision | AskedRecorded): Promise<Made> {
  const { services, asked, options, left } = begun;
  const { budget, caller } = options;
  const shape = targetShapeOf((await place.registry()).catalog, inspected.name);
  const columns = branchColumns(shape.decision);
  const filled = createRowFiller(columns);
  const [rows, branches]: [Row[], Row[]] = [[], []];
  let [bytes, commands] = [0, 0];
  const take = async (decidedPage: DecidedPage): Promise<void> => {
    const page = await pageSeen(decidedPage, options, shape.decision.state !== undefined);
    commands += page.commands;
    if (inspected.kind === 'recorded' && commands > inspected.most)
      throw fail('R0301', { what: 'rows', limit: `${inspected.most} recorded commands` });
    const made = page.branches.map((row) => filled(row));
    for (const row of [...page.rows, ...made]) bytes += rowBytes(row);
    if (bytes > budget.bytes) throw fail('R0301', { what: 'bytes', limit: String(budget.bytes) });
    budget.takes(bytes);
    rows.push(...page.rows);
    branches.push(...made);
    left();
  };
  const now = place.moment?.at ?? services.clock();
  const given = inspected.kind === 'decision' ? { given: inspected.commands } : await recordedOf(begun, inspected);
  await inspectDecision(place, inspected.name, given, { caller, now, uuid: services.uuid }, take);
  const table = { columns: targetColumns(shape), rows };
  const branchTable = { columns: columns.map(plainColumn), rows: branches };
  if (asked.into !== undefined && inspected.kind === 'decision') {
    const aggregates = [shape.decision.aggregate];
    await keepDecided(begun, asked.into, inspected, { domain: place.domain, aggregates, table, branches: branchTable });
  }
  return { table: raw(table), branches: raw(branchTable) };
}

/** Rows of streams that the caller does not see have no seq, and no values that may come from state. */
async function pageSeen(page: DecidedPage, { streams }: InspectOptions, readsState: boolean): Promise<DecidedPage> {
  if (streams === undefined) return page;
  const rows: Row[] = [];
  for (const row of page.rows) {
    const { streamType, streamId } = eventOf(row);
    const isSeen = (await streams(streamType, [streamId])).has(streamId);
    rows.push(isSeen ? row : withoutEvent(row, readsState));
  }
  return { ...page, rows };
}

async function recordedOf(
  { present, left }: Begun,
  { since, chosen, limit }: AskedRecorded,
): Promise<{ readonly recorded: Recorded }> {
  const after = since === undefined ? 0 : (await present.engine.store.log.moment(since)).entry;
  return { recorded: { after, limit, giveWay: giveWay(sliceMilliseconds, left), ...(chosen && { chosen }) } };
}

async function projected(begun: Begun, place: Place, { name }: AskedProjection): Promise<Made> {
  const { services, asked, options, left } = begun;
  const definition = place.domain.projections.find((projection) => projection.name === name);
  if (definition === undefined) throw new Error(`projection ${name} is in the catalog and not loaded`);
  const instant = place.moment?.at ?? services.clock();
  const compiledFor = place.domain.readModel;
  const { query, parameters } = await selectedFor(begun, place, definition);
  const table = await options.within((room) =>
    place.engine.query(query, parameters, { ...room, milliseconds: left(), instant, compiledFor }),
  );
  if (asked.into !== undefined) await keepProjected(begun, asked.into, definition, table);
  return { table };
}

/** The query of a projection's rows, those that the caller may see. */
async function selectedFor(
  { present: { engine }, options: { caller } }: Begun,
  place: Place,
  { name, query }: ProjectionDefinition,
): Promise<CompiledSelection> {
  const { domain } = place;
  const filtered = filteredBy(domain, name, caller);
  if (filtered === undefined) return { query, parameters: [] };
  // CLEAR shows nothing here: the values are masked when the rows are shown.
  const asker = { ...filtered, isMasked: false };
  const selection: Selection = {
    relation: name,
    columns: query.columns.flatMap((each) => (each.hidden === true ? [] : [each.name])),
    filters: [],
    order: [],
  };
  const registry = await place.registry();
  if (place.engine === engine) return selectRelation(domain, registry, selection, asker);
  const then = selectThen(domain, registry, selection, asker);
  const values = await setsNow(then.sets, (asked, given, limits) => engine.query(asked, given, limits));
  return { query: then.query, parameters: then.parametersWith(values) };
}

/** Without hidden columns. */
function shown(table: Raw<Table>, caller: Caller): Shown<Table> {
  return reshaped(shownTable(table, caller), ({ columns, rows }) => {
    const indexes = columns.flatMap(({ hidden }, index) => (hidden === true ? [] : [index]));
    return {
      columns: indexes.flatMap((index) => columns[index] ?? []),
      rows: rows.map((row) => indexes.map((index) => row[index] ?? null)),
    };
  });
}
