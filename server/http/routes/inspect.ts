import { fail, Failure } from '../../../language/failure/failure.ts';
import { filteredBy } from '../../operation/asker.ts';
import { streamsSeen, visibleStreams } from '../../operation/read/read.ts';
import { accountOf } from '../../operation/caller.ts';
import { InputFailure } from '../../../runtime/engine/dry-turn.ts';
import type { Table } from '../../../runtime/engine/outcome.ts';
import { asOfHeaders } from '../answers/as-of.ts';
import { mostOfResult } from '../../operation/room/held-results.ts';
import { Problem } from '../wire/problem.ts';
import type { AskedRecorded, InspectAsked } from '../../operation/inspect/asked.ts';
import { takes } from '../parameters/parameter-table.ts';
import { aggregateOf } from '../answers/registered.ts';
import type { Access, Answer, Call, Route } from '../route.ts';
import { preferred } from '../wire/accept.ts';
import { jsonObjects } from '../representation/json.ts';
import { filtersOf } from '../parameters/conditions.ts';
import { inspectBody, inspectMembers, placedFaults, type InspectBody } from '../parameters/inspect-body.ts';
import { withinRoom, type WithinRoom } from '../../operation/room/within-room.ts';

/** Inspections: running one without effect, and the tables that were recorded, through an aggregate that they belong to. */
export const inspectRoutes: readonly Route[] = [
  {
    name: 'run_inspection',
    method: 'POST',
    path: '/api/inspect',
    summary: 'Decides commands, or shows a projection, without effect',
    rights: [],
    needs: ['inspect:{block}'],
    answers: 'table',
    rows: 'result',
    statuses: [409, 413, 415, 429, 503],
    query: [],
    freshness: 'never',
    body: 'members',
    members: inspectMembers,
    enabled: (options) => options.inspect === true,
    resolve: resolveInspection,
  },
  tables('inspect', '/api/aggregates/{agg}/inspect/{table}', 'either', 'A table that an inspection recorded'),
  tables('inspect_input', '/api/aggregates/{agg}/inspect/input/{table}', 'input', 'A table that an inspection read'),
  tables(
    'inspect_output',
    '/api/aggregates/{agg}/inspect/output/{table}',
    'output',
    'A table that an inspection wrote',
  ),
];

/** Finds what is asked before any right is checked; with a candidate schema only its text tells which blocks there are. */
async function resolveInspection(call: Call): Promise<Access> {
  const { inspectBytes: bytes, inspectCommands } = call.options.settings.limits;
  const body = inspectBody(await call.body({ bytes, stringBytes: bytes }), inspectCommands);
  const { asked } = body;
  const { inspected } = asked;
  const { kind, name } = inspected;
  const isOfLog = kind === 'recorded' || kind === 'rehearsal';
  if (asked.schema === undefined || isOfLog) {
    const of = kind === 'projection' ? 'projection' : 'decision';
    const blocks: readonly { readonly name: string }[] =
      of === 'decision' ? call.domain.decisions : call.domain.projections;
    if (name !== undefined && !blocks.some((block) => block.name === name))
      throw fail('R0106', { kind: of, name, known: [] });
  }
  const read = isOfLog ? call.domain.decisions.filter((decision) => decision.name === (name ?? decision.name)) : [];
  const names = isOfLog ? read.map((decision) => decision.name) : [name];
  return {
    needs: [
      ...names.map((one) => `inspect:${one}`),
      ...new Set(read.map(({ aggregate }) => `read:${aggregate}$Commands`)),
      ...(asked.schema === undefined ? [] : ['create']),
      ...(asked.into === undefined ? [] : ['record']),
    ],
    answer: async () => answerInspection(call, body),
  };
}

async function answerInspection(call: Call, { asked, branches: wantsBranches, where }: InspectBody): Promise<Answer> {
  const { late, engine, settings } = call.options;
  if (asked.into !== undefined && engine.readOnly) throw new Failure('R0109', 'the server is in read-only mode');
  const isJson = wantsBranches || asked.inspected.kind === 'rehearsal';
  if (isJson && preferred(call.header('accept'), [jsonType]) === undefined)
    throw new Problem(
      'H4061',
      `${wantsBranches ? 'rows and branches together are' : 'a rehearsal is'} available as ${jsonType}; Accept does not name it`,
    );
  const commands = asked.inspected.kind === 'decision' ? asked.inspected.commands.length : 1;
  const wait = call.rates.inspected.take(accountOf(call.caller), Math.max(1, commands));
  if (wait !== undefined)
    throw new Problem('H4291', `too many commands were inspected; try again in ${wait} s`, {
      'Retry-After': String(wait),
    });
  const most = mostOfResult(settings.limits);
  const { resultMilliseconds: milliseconds } = settings.limits;
  const within: WithinRoom = (read) => withinRoom(call.lease, { most, by: 'other' }, read);
  const chosen = await chosenBy(call, asked, where, within);
  const { inspect } = await late();
  const answer = await inspect(chosen, {
    domain: call.domain,
    caller: call.caller,
    streams: streamsSeen(call),
    budget: { bytes: most, takes: (bytes) => call.lease.holds(bytes), milliseconds },
    within,
    signal: call.lease.released,
  }).catch((error: unknown) => {
    throw error instanceof InputFailure ? ofCommand(error) : error;
  });
  if (answer.answer === 'rehearsed') {
    call.log({ rehearsed: answer.commands });
    return { kind: 'json', status: 200, text: answer.text };
  }
  const { table, branches, asOf } = answer;
  const recorded = asked.into === undefined ? {} : { recorded: asked.into };
  call.log({ inspected: asked.inspected.name ?? '', rows: table.rows.length, ...recorded });
  const headers = asOf === undefined ? {} : asOfHeaders(asOf);
  if (!wantsBranches || branches === undefined) return { kind: 'table', table, headers };
  return { kind: 'json', status: 200, text: `{"rows":${jsonRows(table)},"branches":${jsonRows(branches)}}\n`, headers };
}

/** The question with the entries of the recorded commands that the caller may see, and for which the conditions hold. */
async function chosenBy(
  call: Call,
  asked: InspectAsked,
  where: InspectBody['where'],
  within: WithinRoom,
): Promise<InspectAsked> {
  const { inspected } = asked;
  const decision = call.domain.decisions.find(({ name }) => name === inspected.name);
  if (inspected.kind !== 'recorded' || decision === undefined) return asked;
  const { aggregate } = decision;
  if (where === undefined && filteredBy(call.domain, `${aggregate}$Commands`, call.caller) === undefined) return asked;
  const { engine, late, settings } = call.options;
  const { columns, read } = await (await late()).commands(call.domain, aggregate);
  const { resultMilliseconds: milliseconds } = settings.limits;
  const after = inspected.since === undefined ? 0 : (await engine.store.log.moment(inspected.since)).entry;
  const { rows } = await within((room) =>
    read({
      filters: [
        { column: 'command', test: 'equal', value: decision.command },
        { column: 'entry', test: 'greater', value: BigInt(after) },
        ...(where === undefined ? [] : filtersOf('where', where, columns)),
      ],
      select: ['entry'],
      caller: call.caller,
      visible: (ids) => visibleStreams(call, aggregate, ids),
      // The limit lets one more through than may be decided, which is then refused.
      limit: inspected.limit ?? inspected.most + 1,
      budget: { ...room, milliseconds },
    }),
  );
  const chosen: AskedRecorded = { ...inspected, chosen: new Set(rows.map(([entry]) => Number(entry))) };
  return { ...asked, inspected: chosen };
}

const jsonType = 'application/json';

function jsonRows({ columns, rows }: Table): string {
  return `[${rows.map(jsonObjects(columns)).join(',\n')}]`;
}

/** The failure, which names the command by its number. */
function ofCommand({ index, code, field, faults, message }: InputFailure): Failure {
  const said = `commands[${index}]: ${message}`;
  return new Failure(code, said, field, placedFaults(index, field, faults, message));
}

function tables(name: string, path: string, side: 'input' | 'output' | 'either', summary: string): Route {
  return {
    name,
    method: 'GET',
    path,
    summary,
    rights: ['read:{agg}$Events', 'read:meta_inspections'],
    answers: 'table',
    rows: 'result',
    statuses: [409, 503],
    query: takes.page,
    freshness: 'store',
    resolve: async (call) => {
      const aggregate = aggregateOf(call.domain, call.path['agg']);
      const wanted = call.path['table'] ?? '';
      const { limits } = call.options.settings;
      const { resultMilliseconds: milliseconds } = limits;
      const most = mostOfResult(limits);
      const { inspected } = await call.options.late();
      const table = await withinRoom(call.lease, { most }, (room) =>
        inspected(wanted, side, { ...room, ...call.reading, milliseconds }),
      );
      if (table === undefined || !table.aggregates.includes(aggregate.name)) {
        throw new Problem('H4043', `no inspection of aggregate '${aggregate.name}' recorded a table '${wanted}'`);
      }
      return {
        needs: [
          ...table.aggregates.map((each) => `read:${each}$Events`),
          // An inspection reads all rows.
          ...(table.aggregates.some((each) => filteredBy(call.domain, `${each}$Agg`, call.caller)) ? ['rows:all'] : []),
        ],
        answer: async ({ limit, offset }) => {
          const page = { ...(limit === undefined ? {} : { limit }), ...(offset === undefined ? {} : { offset }) };
          const { caller } = call;
          const rows = await withinRoom(call.lease, { most, by: 'other' }, (room) =>
            table.read({ ...page, caller, budget: { ...room, milliseconds } }),
          );
          return { kind: 'table', table: rows };
        },
      };
    },
  };
}
