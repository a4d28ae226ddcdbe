/**
 * `POST /api/inspect` (docs/http.md#inspections): commands that are decided, or a projection that is computed, without effect. Takes what a
 * request asks, gives tables; writes nothing unless the request names a target.
 */
import { decidesOnSensitive, findBlock, type Catalog, type Registry } from '../../compiler/index.ts';
import type { Domain } from '../../language/contract/domain.ts';
import { fail } from '../../language/failure/failure.ts';
import type { Engine } from '../../runtime/engine/engine.ts';
import type { Table } from '../../runtime/engine/outcome.ts';
import type { Raw } from '../../runtime/engine/raw.ts';
import { allow } from '../operation/allow.ts';
import type { Caller } from '../operation/caller.ts';
import { reshaped, shownRejection, shownTable, type Shown } from '../operation/shown.ts';
import { fewAtOnce } from '../http/guard/few-at-once.ts';
import type {
  AskedDecision,
  AskedProjection,
  AskedRehearsal,
  Inspect,
  InspectAnswer,
  InspectAsked,
  InspectOptions,
} from '../http/options.ts';
import { tryOn } from '../place/candidate.ts';
import { endOf, openPlace } from '../place/open-place.ts';
import type { CompiledPlace, Place } from '../place/place.ts';
import { describeEach } from '../registry/live/describe-diagnostics.ts';
import type { DomainLoader } from '../registry/load/domain-loader.ts';
import { decideCommands } from './decide-commands.ts';
import { decideRecorded, rehearseRecorded, sensitiveDecisions } from './decide-recorded.ts';
import type { DecidedRowsOptions } from './decided-rows.ts';
import { keepDecided, keepProjected } from './keep-inspected.ts';
import type { InspectLimits } from './inspect-limits.ts';

export interface InspectServices {
  readonly engine: Engine;
  readonly now: (domain: Domain) => Place;
  /** The definitions that a candidate changes. */
  readonly registry: () => Promise<Registry>;
  readonly loader: DomainLoader;
  /** µs since 1970. */
  readonly clock: () => bigint;
  readonly random: () => number;
  readonly uuid: () => string;
  readonly limits: InspectLimits;
}

/** Where an inspection reads, and by which definitions. */
export interface InspectedPlace extends Place {
  readonly catalog: Catalog;
  /** Of its commands, µs since 1970. */
  readonly now: bigint;
  /** Milliseconds, at least 1; throws when the time is over. */
  readonly left: () => number;
}

/** Commands of which more are decided on a copy, beside the live ones. */
const fewCommands = 100;

export function createInspect(services: InspectServices): Inspect {
  const { inspections, inspectionsWaiting } = services.limits;
  const gate = fewAtOnce(inspections, inspectionsWaiting, 'inspections');
  const pastGate = fewAtOnce(inspections, inspectionsWaiting, 'inspections apart from the present state');
  return (asked, options) => (isOfPast(asked) ? pastGate : gate)(() => inspect(services, asked, options));
}

/** Tables are computed for it, which takes long: others do not wait for that. */
function isOfPast(asked: InspectAsked): boolean {
  const { kind } = asked.inspected;
  return asked.asOf !== undefined || kind === 'recorded' || kind === 'rehearsal' || isApart(asked);
}

async function inspect(
  services: InspectServices,
  asked: InspectAsked,
  options: InspectOptions,
): Promise<InspectAnswer> {
  const { inspectMilliseconds: milliseconds } = services.limits;
  const end = performance.now() + Math.min(milliseconds, options.budget.milliseconds);
  const left = (): number => {
    const rest = Math.floor(end - performance.now());
    if (rest < 1) throw fail('R0301', { what: 'time', limit: `${milliseconds} ms` });
    return rest;
  };
  const mayGoOn = (): void => void left();
  const candidate = await candidateOf(services, asked, mayGoOn);
  if (candidate !== undefined && 'answer' in candidate) return candidate;
  const { inspected } = asked;
  const present = services.now(options.domain);
  if (inspected.kind === 'rehearsal') return rehearsed(services, inspected, candidate, options, left);
  const place = candidate ?? present;
  const { catalog } = await place.registry();
  const { name } = inspected;
  const kind = inspected.kind === 'recorded' ? 'decision' : inspected.kind;
  const block = findBlock(catalog, kind, name);
  // A block of another case is another one, as in a path.
  if (block?.name !== name) throw fail('R0106', { kind, name, known: [] });
  if (block.kind === 'decision' && decidesOnSensitive(block)) requireClearance(options.caller, [name]);
  const { engine } = services;
  if (inspected.kind === 'recorded') {
    const recorded = { ...place, catalog, left, now: services.clock() };
    const { table, branches } = await decideRecorded(recorded, inspected, rowsOptions(services, place.domain, options));
    return { answer: 'inspected', table: shown(table, options.caller), branches: shown(branches, options.caller) };
  }
  const asOf = asked.asOf === undefined ? undefined : await engine.store.moment(asked.asOf);
  const moment = asOf ?? (isApart(asked) ? await endOf(present, services.clock()) : undefined);
  const shared = { catalog, left, now: moment?.at ?? services.clock() };
  if (moment === undefined) return answerAt(services, asked, inspected, options, { ...place, ...shared });
  const past = await openPlace(place, { moment, milliseconds: left() });
  try {
    const answer = await answerAt(services, asked, inspected, options, { ...past, ...shared });
    return asOf === undefined || answer.answer !== 'inspected' ? answer : { ...answer, asOf };
  } finally {
    await past.close();
  }
}

async function rehearsed(
  services: InspectServices,
  asked: AskedRehearsal,
  after: CompiledPlace | undefined,
  { domain, caller, budget }: InspectOptions,
  left: () => number,
): Promise<InspectAnswer> {
  if (after === undefined) throw new Error('a rehearsal has a schema');
  const before = services.now(domain);
  const sensitive = sensitiveDecisions(asked, (await before.registry()).catalog, after.registry().catalog);
  if (sensitive.length > 0) requireClearance(caller, sensitive);
  const end = await endOf(before, services.clock());
  const { text, commands } = await rehearseRecorded({ before, after, end, left, budget }, asked);
  return { answer: 'rehearsed', text, commands };
}

function requireClearance(caller: Caller, decisions: readonly string[]): void {
  const because = (decision: string): string =>
    `decision '${decision}' depends on SENSITIVE values, so inspecting it needs the right 'sensitive:read'`;
  allow(caller, 'sensitive:read', () => decisions.map(because).join('; '));
}

async function candidateOf(
  { engine, now, registry, loader }: InspectServices,
  { schema }: InspectAsked,
  mayGoOn: () => void,
): Promise<CompiledPlace | Extract<InspectAnswer, { answer: 'refused' }> | undefined> {
  if (schema === undefined) return undefined;
  const tried = { ...now(engine.domain()), registry };
  const { place, diagnostics } = await tryOn(tried, { name: 'schema', text: schema }, { loader, mayGoOn });
  return place ?? { answer: 'refused', messages: describeEach(diagnostics) };
}

/** Definitions of a candidate have no read model of the present, and many commands do not hold live ones up. */
function isApart({ inspected, schema }: InspectAsked): boolean {
  return schema !== undefined || (inspected.kind === 'decision' && inspected.commands.length > fewCommands);
}

async function answerAt(
  services: InspectServices,
  asked: InspectAsked,
  inspected: AskedDecision | AskedProjection,
  options: InspectOptions,
  place: InspectedPlace,
): Promise<InspectAnswer> {
  const { engine } = services;
  const { caller, within } = options;
  const now = services.clock();
  if (inspected.kind === 'projection') {
    const definition = place.domain.projections.find(({ name }) => name === inspected.name);
    if (definition === undefined) throw new Error(`projection ${inspected.name} is in the catalog and not loaded`);
    const table = await within((room) =>
      place.engine.query(definition.query, [], {
        ...room,
        milliseconds: place.left(),
        instant: place.now,
        compiledFor: place.domain.readModel,
      }),
    );
    if (asked.into !== undefined) await keepProjected(engine, asked, asked.into, { definition, table }, now);
    return { answer: 'inspected', table: shown(table, caller) };
  }
  const { table, branches, aggregate } = await decideCommands(
    place,
    inspected,
    rowsOptions(services, place.domain, options),
  );
  if (asked.into !== undefined)
    await keepDecided(engine, asked, asked.into, { ...place, inspected, table, branches, aggregate }, now);
  return { answer: 'inspected', table: shown(table, caller), branches: shown(branches, caller) };
}

function rowsOptions(
  { uuid }: InspectServices,
  domain: Domain,
  { caller, budget }: InspectOptions,
): DecidedRowsOptions {
  return {
    uuid,
    budget,
    readable: (rejection) => shownRejection(rejection, { caller, domain }),
  };
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
