import { blockKinds, kindTable } from '../../../language/contract/block-kind.ts';
import { isStandingRelation } from '../../../language/contract/standing.ts';
import { fail } from '../../../language/failure/failure.ts';
import { withStandings } from '../../../runtime/delivery/standing.ts';
import type { Table } from '../../../runtime/engine/outcome.ts';
import { mayKnow } from '../../operation/rights.ts';
import { inspectionTable, metaPage, metaRows } from '../../operation/describe/meta-rows.ts';
import { mostOfResult } from '../../operation/room/held-results.ts';
import { withinRoom } from '../../operation/room/within-room.ts';
import { takes } from '../parameters/parameter-table.ts';
import type { Access, Call, Route } from '../route.ts';

/** A list of a relation, or the rows of it about the block of the path, which is one of the plural `group`; sorted by `order`. */
interface Listed extends Pick<Route, 'name' | 'path' | 'summary'> {
  readonly relation: `meta_${string}`;
  readonly group: string;
  readonly order?: string;
}

/** A table about one block: path segment, its group in the path, the relation, its sort column, and a summary. */
const details = (
  [
    ['fields', 'aggregates', 'meta_aggregate_fields', 'ordinal', 'The state fields of an aggregate'],
    ['fields', 'commands', 'meta_command_fields', 'ordinal', 'The fields of a command'],
    ['fields', 'events', 'meta_event_fields', 'ordinal', 'The fields of an event'],
    ['emits', 'decisions', 'meta_decision_emits', '', 'The events that a decision emits'],
    ['branches', 'reactions', 'meta_reaction_branches', 'ordinal', 'The commands of a reaction'],
    ['params', 'templates', 'meta_template_params', 'ordinal', 'The parameters of a template'],
    ['instances', 'templates', 'meta_template_instances', '', 'The applications of a template'],
  ] as const
).map(([part, group, relation, order, summary]): Listed => {
  const path = `/api/reg/${group}/{name}/${part}`;
  return { name: `${group}_${part}`, path, summary, relation, group, order };
});

/** Each kind of block by its plural, `aggregates`, which is also the end of its relation `meta_aggregates`. */
const blocks = blockKinds.flatMap((kind): readonly Listed[] => {
  const [group, words] = [`${kind}s`, `${kindTable[kind].word}s`];
  const [path, relation] = [`/api/reg/${group}`, `meta_${group}`] as const;
  return [
    { name: `list_${group}`, path, summary: `All ${words}, by name`, relation, group, order: 'name' },
    { name: `${group}_by_name`, path: `${path}/{name}`, summary: `One of the ${words}`, relation, group },
  ];
});

/** The registered blocks (docs/http.md#routes), and the records of inspections. */
export const registryRoutes: readonly Route[] = [
  ...[...blocks, ...details].map(ofRegistry),
  inspections('list_inspections', '/api/reg/inspections', 'All recorded inspections, by name'),
  inspections('inspection_by_name', '/api/reg/inspections/{name}', 'One recorded inspection'),
  inspections('inspection_alias', '/api/reg/inspection/{name}', 'One recorded inspection (alias)'),
];

/** Unlike the records of inspections, the registry has a past. */
function ofRegistry({ relation, group, order, ...named }: Listed): Route {
  return {
    ...named,
    method: 'GET',
    answers: 'table',
    query: takes.registry,
    freshness: 'store',
    past: 'registry',
    rights: [`read:${relation}`],
    rows: relation,
    statuses: [],
    resolve: (call) => {
      const { domain, path } = call;
      const { name } = path;
      if (name !== undefined && metaRows(domain, `meta_${group}`, name).rows.length === 0)
        throw fail('R0106', { kind: group.slice(0, -1), name, known: [] });
      return pages(call, relation, metaRows(domain, relation, name), order);
    },
  };
}

/** The table; of blocks that move on without a change of the registry, also how far they have come. */
function pages({ caller, deliveries }: Call, relation: string, table: Table, order?: string): Access {
  if (!isStandingRelation(relation))
    return { answer: (parameters) => ({ kind: 'table', table: metaPage(table, caller, parameters, order) }) };
  const isShown = (name: string): boolean =>
    table.rows.some(([own]) => own === name) && mayKnow(caller, relation, name);
  return {
    usesTime: true,
    answer: async (parameters) => {
      const isPast = parameters.asOf !== undefined;
      const shown = isPast ? table : withStandings(table, relation, await deliveries.standings(relation, isShown));
      return { kind: 'table', table: metaPage(shown, caller, parameters, order) };
    },
  };
}

function inspections(name: string, path: string, summary: string): Route {
  return {
    name,
    path,
    summary,
    method: 'GET',
    answers: 'table',
    query: takes.page,
    freshness: 'store',
    rights: ['read:meta_inspections'],
    rows: 'meta_inspections',
    statuses: [409, 503],
    resolve: async (call) => {
      const { lease, options, path: named, reading } = call;
      const { limits } = options.settings;
      const { resultMilliseconds: milliseconds } = limits;
      const { inspections: read } = await options.late();
      const rows = await withinRoom(lease, { most: mostOfResult(limits) }, (room) =>
        read({ ...room, ...reading, milliseconds }),
      );
      const { name: wanted } = named;
      const table = inspectionTable(rows, wanted);
      if (wanted !== undefined && table.rows.length === 0)
        throw fail('R0106', { kind: 'inspection', name: wanted, known: [] });
      return pages(call, 'meta_inspections', table, 'name');
    },
  };
}
