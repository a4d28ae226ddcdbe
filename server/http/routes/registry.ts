import { blockKinds, kindTable } from '../../../language/contract/block-kind.ts';
import { fail } from '../../../language/failure/failure.ts';
import { isStandingRelation } from '../../../language/contract/standing.ts';
import type { Domain } from '../../../language/contract/domain.ts';
import type { Table } from '../../../runtime/engine/outcome.ts';
import { raw } from '../../../runtime/engine/raw.ts';
import { shownTable } from '../../operation/shown.ts';
import { mostOfResult } from '../../operation/room/held-results.ts';
import { inspectionTable, metaTable, pageOf, rowsOf, sortedBy } from '../answers/meta-table.ts';
import { withStandings } from '../../../runtime/delivery/standing.ts';
import { mayKnow } from '../../operation/caller.ts';
import { takes } from '../parameters/parameter-table.ts';
import type { Access, Call, Route } from '../pipeline/route.ts';
import { withinRoom } from '../../operation/room/within-room.ts';

/** Each kind of block by its plural, `aggregates`, which is also the end of its relation `meta_aggregates`. */
const groups = blockKinds.map((kind) => `${kind}s`);

/** A table about one block: path segment, its group in the path, the relation, its sort column, and a summary. */
type Detail = readonly [part: string, group: string, relation: `meta_${string}`, order: string, summary: string];
const details: readonly Detail[] = [
  ['fields', 'aggregates', 'meta_aggregate_fields', 'ordinal', 'The state fields of an aggregate'],
  ['fields', 'commands', 'meta_command_fields', 'ordinal', 'The fields of a command'],
  ['fields', 'events', 'meta_event_fields', 'ordinal', 'The fields of an event'],
  ['emits', 'decisions', 'meta_decision_emits', '', 'The events that a decision emits'],
  ['branches', 'reactions', 'meta_reaction_branches', 'ordinal', 'The commands of a reaction'],
  ['params', 'templates', 'meta_template_params', 'ordinal', 'The parameters of a template'],
  ['instances', 'templates', 'meta_template_instances', '', 'The applications of a template'],
];

const ofMeta = {
  method: 'GET',
  answers: 'table',
  query: takes.page,
  freshness: 'store',
} as const;

/** Unlike the records of inspections, the registry has a past. */
const ofRegistry = { ...ofMeta, query: takes.registry, past: 'registry' } as const;

/** The registered blocks (docs/http.md#routes), read from the handler table itself. */
export const registryRoutes: readonly Route[] = [
  ...groups.flatMap((group) => [listing(group), oneOf(group)]),
  ...details.map(detailsOf),
  inspections(),
  inspection('inspection_by_name', '/api/reg/inspections/{name}', 'One recorded inspection'),
  inspection('inspection_alias', '/api/reg/inspection/{name}', 'One recorded inspection (alias)'),
];

function wordsOf(group: string): string {
  const kind = blockKinds.find((each) => `${each}s` === group);
  return kind === undefined ? group : `${kindTable[kind].word}s`;
}

function listing(group: string): Route {
  return {
    ...ofRegistry,
    name: `list_${group}`,
    path: `/api/reg/${group}`,
    summary: `All ${wordsOf(group)}, by name`,
    rights: [`read:meta_${group}`],
    rows: `meta_${group}`,
    statuses: [],
    resolve: (call) => {
      const table = sortedBy(metaTable(call.domain, `meta_${group}`), 'name');
      return standsOf(call, `meta_${group}`, table);
    },
  };
}

function oneOf(group: string): Route {
  return {
    ...ofRegistry,
    name: `${group}_by_name`,
    path: `/api/reg/${group}/{name}`,
    summary: `One of the ${wordsOf(group)}`,
    rights: [`read:meta_${group}`],
    rows: `meta_${group}`,
    statuses: [],
    resolve: (call) => standsOf(call, `meta_${group}`, existing(call.domain, group, call.path['name'] ?? '')),
  };
}

function detailsOf([part, group, relation, order, summary]: Detail): Route {
  return {
    ...ofRegistry,
    name: `${group}_${part}`,
    path: `/api/reg/${group}/{name}/${part}`,
    summary,
    rights: [`read:${relation}`],
    rows: relation,
    statuses: [],
    resolve: (call) => {
      const { domain, path } = call;
      const name = path['name'] ?? '';
      existing(domain, group, name);
      return paged(call, () => sortedBy(rowsOf(metaTable(domain, relation), name), order));
    },
  };
}

function inspections(): Route {
  return {
    ...ofMeta,
    name: 'list_inspections',
    path: '/api/reg/inspections',
    summary: 'All recorded inspections, by name',
    rights: ['read:meta_inspections'],
    rows: 'meta_inspections',
    statuses: [409, 503],
    resolve: async (call) => {
      const table = await records(call);
      return paged(call, () => sortedBy(table, 'name'));
    },
  };
}

function inspection(name: string, path: string, summary: string): Route {
  return {
    ...ofMeta,
    name,
    path,
    summary,
    rights: ['read:meta_inspections'],
    rows: 'meta_inspections',
    statuses: [409, 503],
    resolve: async (call) => {
      const wanted = call.path['name'] ?? '';
      const found = rowsOf(await records(call), wanted);
      if (found.rows.length === 0) throw fail('R0106', { kind: 'inspection', name: wanted, known: [] });
      return paged(call, () => found);
    },
  };
}

async function records({ options, lease, reading }: Call): Promise<Table> {
  const { limits } = options.settings;
  const { resultMilliseconds: milliseconds } = limits;
  const { inspections } = await options.late();
  return withinRoom(lease, { most: mostOfResult(limits) }, async (room) =>
    inspectionTable(await inspections({ ...room, ...reading, milliseconds })),
  );
}

function existing(domain: Domain, group: string, name: string): Table {
  const found = rowsOf(metaTable(domain, `meta_${group}`), name);
  if (found.rows.length === 0) throw fail('R0106', { kind: group.slice(0, -1), name, known: [] });
  return found;
}

/** The table; of blocks that move on without a change of the registry, also how far they have come. */
function standsOf(call: Call, relation: string, table: Table): Access {
  if (!isStandingRelation(relation)) return paged(call, () => table);
  const isShown = (name: string): boolean =>
    table.rows.some(([own]) => own === name) && mayKnow(call.caller, relation, name);
  return {
    usesTime: true,
    answer: async (parameters) => {
      const isPast = parameters.asOf !== undefined;
      const shown = isPast ? table : withStandings(table, relation, await call.deliveries.standings(relation, isShown));
      return { kind: 'table', table: shownTable(raw(pageOf(shown, parameters)), call.caller) };
    },
  };
}

function paged({ caller }: Call, table: () => Table): Access {
  return { answer: (parameters) => ({ kind: 'table', table: shownTable(raw(pageOf(table(), parameters)), caller) }) };
}
