import type { CommandField } from '../../runtime/contract/command.ts';
import type { Domain } from '../../runtime/contract/domain.ts';
import type { Column, CompiledQuery } from '../../runtime/contract/query.ts';
import { maskTable } from '../../runtime/engine/mask.ts';
import type { Engine } from '../../runtime/engine/engine.ts';
import type { ExecuteRequest, NamedValue, Outcome } from '../../runtime/engine/outcome.ts';
import { fail } from '../../runtime/failure/failure.ts';
import type { Selection } from '../../runtime/http/options.ts';
import type { Row, Store } from '../../runtime/store/store.ts';
import { readInput } from '../../runtime/values/input.ts';
import type { Type, Value } from '../../runtime/values/type.ts';

const text: Type = { kind: 'STRING' };
const price: Type = { kind: 'DECIMAL', precision: 8, scale: 2 };
const column = (name: string, type: Type, more: Partial<Column> = {}): Column => ({
  name,
  type,
  nullable: true,
  sensitive: false,
  ...more,
});
const field = (name: string, type: Type, more: Partial<CommandField> = {}): CommandField => ({
  name,
  type,
  key: false,
  sensitive: false,
  required: true,
  nullable: false,
  ...more,
});

const payload: Type = {
  kind: 'STRUCT',
  fields: [
    { name: 'model', type: text },
    { name: 'price', type: price },
    { name: 'limit', type: { kind: 'INT' } },
    { name: 'code', type: text, sensitive: true },
    { name: 'rider', type: text },
  ],
};
const eventColumns: readonly Column[] = [
  column('event_id', text),
  column('stream_type', text),
  column('stream_id', text),
  column('seq', { kind: 'BIGINT' }),
  column('event_type', text),
  column('occurred_at', { kind: 'TIMESTAMP' }),
  column('data', payload),
  column('timestamp', { kind: 'TIMESTAMP' }, { hidden: true }),
  column('global_position', { kind: 'BIGINT' }, { hidden: true }),
  column('tags', { kind: 'LIST', of: text }, { hidden: true }),
  column('correlation_id', text, { hidden: true }),
  column('aggregate_id', text, { hidden: true }),
];
const stateColumns: readonly Column[] = [
  column('aggregate_id', text, { nullable: false }),
  column('model', text),
  column('price', price),
  column('limit', { kind: 'INT' }),
  column('code', text, { sensitive: true }),
];
const fleetColumns: readonly Column[] = [column('model', text), column('bikes', { kind: 'BIGINT' })];
const none: CompiledQuery = { sql: '', parameters: [], columns: [], reads: [] };

interface Stored {
  readonly stream: string;
  readonly seq: number;
  readonly type: string;
  readonly data: ReadonlyMap<string, Value>;
  readonly correlation: string | null;
}

function command(name: string, fields: readonly CommandField[]): Domain['commands'][number] {
  return {
    name,
    fields,
    streamField: fields[0]?.name ?? '',
    decode: (sent) => {
      for (const key of sent.keys()) {
        if (!fields.some((known) => known.name === key))
          throw fail('R0102', { command: name, field: key, known: fields.map((known) => known.name) });
      }
      return Object.fromEntries(
        fields.map(({ name: key, type, required }) => {
          const given = sent.get(key);
          if (given === undefined) {
            if (required) throw fail('R0101', { command: name, field: key, takes: type.kind });
            return [key, null];
          }
          const input = readInput(given, type);
          if (input.problem !== undefined) throw fail('R0103', { command: name, field: key, ...input.problem });
          return [key, input.value];
        }),
      );
    },
    streamId: (decoded) => String(Object.values(decoded)[0]),
  };
}

const decision = (name: string, aggregate: string, on: string): Domain['decisions'][number] => ({
  name,
  aggregate,
  command: on,
  branches: [],
  decide: () => [],
});
const meta = (
  name: string,
  columns: readonly string[],
  rows: readonly (readonly (string | number | boolean | null)[])[],
) => ({
  name: `meta_${name}`,
  columns: columns.map((each) => ({ name: each, type: each === 'ordinal' ? ({ kind: 'INT' } as const) : text })),
  rows,
});

export const domain: Domain = {
  format: 1,
  hash: 'f00dfeedf00dfeed',
  blocks: [
    { kind: 'aggregate', name: 'Bike', text: '' },
    { kind: 'aggregate', name: 'Dock', text: '' },
    { kind: 'command', name: 'RegisterBike', text: '' },
    { kind: 'projection', name: 'Fleet', text: '' },
  ],
  exportText: 'CREATE AGGREGATE Bike;\n',
  readModel: {
    aggregates: [],
    views: [],
    meta: [
      meta('aggregates', ['name'], [['Dock'], ['Bike']]),
      meta(
        'aggregate_fields',
        ['aggregate_name', 'field_name', 'ordinal'],
        [
          ['Bike', 'price', 1],
          ['Bike', 'model', 0],
        ],
      ),
      meta('commands', ['name'], [['Orphan'], ['RegisterBike'], ['RentBike'], ['OpenDock']]),
      meta('command_fields', ['command_name', 'field_name', 'ordinal'], [['RentBike', 'bike_id', 0]]),
      meta('events', ['name'], [['BikeRented'], ['BikeRegistered']]),
      meta('event_fields', ['event_name', 'field_name', 'ordinal'], [['BikeRented', 'rider', 0]]),
      meta('decisions', ['name'], [['Register'], ['Open'], ['Rent']]),
      meta(
        'decision_emits',
        ['decision_name', 'event_name'],
        [
          ['Register', 'BikeRegistered'],
          ['Rent', 'BikeRented'],
        ],
      ),
      meta('projections', ['name'], [['Fleet']]),
      meta('templates', ['name'], [['Crud']]),
      meta('template_params', ['template_name', 'param_name', 'ordinal'], [['Crud', 'Name', 0]]),
      meta('template_instances', ['template_name', 'instance_name'], [['Crud', 'Bike']]),
      meta('eventstores', ['name'], []),
      meta('inspections', ['name', 'kind', 'input_table', 'output_table', 'full_sql'], []),
    ],
  },
  aggregates: ['Bike', 'Dock'].map((name) => ({ name, events: [], eventColumns, stateColumns, all: none, one: none })),
  commands: [
    command('RegisterBike', [
      field('bike_id', text, { key: true }),
      field('model', text),
      field('price', price),
      field('limit', { kind: 'INT' }, { required: false, nullable: true }),
      field('code', text, { required: false, nullable: true, sensitive: true }),
    ]),
    command('RentBike', [field('bike_id', text, { key: true }), field('rider', text)]),
    command('OpenDock', [field('params', text)]),
    command('Orphan', [field('id', text)]),
  ],
  events: [],
  decisions: [
    decision('Register', 'Bike', 'RegisterBike'),
    decision('Rent', 'Bike', 'RentBike'),
    decision('Open', 'Dock', 'OpenDock'),
  ],
  projections: [{ name: 'Fleet', columns: fleetColumns, aggregates: ['Bike'], query: none }],
  eventStores: [],
};

/** What the tests may turn. */
export interface SampleSwitches {
  refusesWrites: string | undefined;
  /** Thrown by the next query or execution. */
  failNext: Error | undefined;
  /** Queries fail from so many on. */
  failAfter: number;
}

/** A small engine over an array, of the sample's own meaning; what HTTP does is what these tests are about. */
export function createSampleEngine(readOnly: boolean) {
  const events: Stored[] = [];
  const ids = new Map<string, { print: string; outcome: Outcome }>();
  const switches: SampleSwitches = { refusesWrites: undefined, failNext: undefined, failAfter: Infinity };
  let queries = 0;
  const head = (stream: string): number => events.filter((event) => event.stream === stream).length;
  const fieldOf = (stream: string, name: string): Value =>
    events
      .filter((event) => event.stream === stream)
      .reduce<Value>((last, event) => event.data.get(name) ?? last, null);

  const stateRows = (): Row[] =>
    [...new Set(events.map((event) => event.stream))]
      .sort()
      .map((id) => [id, ...['model', 'price', 'limit', 'code'].map((name) => fieldOf(id, name))]);
  /** From a position on, so that a page costs what it holds. */
  function* eventRows(after: number): Generator<Row> {
    for (let at = after; at < events.length; at++) {
      const event = events[at];
      if (event === undefined) return;
      const instant = 1_767_254_400_000_000n + BigInt(at);
      yield [
        `E-${at + 1}`,
        'Bike',
        event.stream,
        BigInt(event.seq),
        event.type,
        instant,
        event.data,
        instant,
        BigInt(at + 1),
        [],
        event.correlation,
        event.stream,
      ];
    }
  }

  function select(selection: Selection): { columns: readonly Column[]; rows: Row[] } {
    const isEvents = selection.relation.endsWith('$Events');
    const all = isEvents ? eventColumns : selection.relation.endsWith('$Agg') ? stateColumns : fleetColumns;
    const own = selection.relation.startsWith('Dock')
      ? []
      : isEvents
        ? eventRows(Number(selection.after ?? 0n))
        : selection.relation === 'Fleet'
          ? fleetRows()
          : stateRows();
    const at = (name: string): number => all.findIndex((each) => each.name === name);
    const page: Row[] = [];
    let skip = selection.offset ?? 0;
    for (const row of own) {
      if (page.length >= (selection.limit ?? Infinity)) break;
      if (isEvents && (row[8] as bigint) > (selection.until ?? 1n << 60n)) break;
      if (!selection.filters.every(({ column: name, value }) => row[at(name)] === value)) continue;
      if (skip-- <= 0) page.push(row);
    }
    const columns = selection.columns.map((name) => all[at(name)]).filter((each) => each !== undefined);
    return { columns, rows: page.map((row) => selection.columns.map((name) => row[at(name)] ?? null)) };
  }
  function fleetRows(): Row[] {
    const counts = new Map<string, bigint>();
    for (const row of stateRows()) counts.set(row[1] as string, (counts.get(row[1] as string) ?? 0n) + 1n);
    return [...counts].sort().map(([model, bikes]) => [model, bikes]);
  }

  function execute(request: ExecuteRequest): Outcome {
    if (readOnly) throw fail('R0109', { what: 'executing a command' });
    const definition = domain.commands.find((each) => each.name === request.command);
    if (definition === undefined) throw fail('R0106', { kind: 'command', name: request.command, known: [] });
    const decoded = definition.decode(request.arguments) as Readonly<Record<string, Value>>;
    const stream = definition.streamId(decoded);
    const print = JSON.stringify([request.command, [...request.arguments]]);
    const known = request.commandId === undefined ? undefined : ids.get(`${stream}\n${request.commandId}`);
    if (known !== undefined && request.commandId !== undefined) {
      if (known.print !== print) throw fail('R0104', { command: request.command, commandId: request.commandId });
      return { ...known.outcome, replayed: true };
    }
    if (request.expectedSeq !== undefined && request.expectedSeq !== head(stream)) {
      throw fail('R0105', { stream, expected: request.expectedSeq, actual: head(stream) });
    }
    const named: NamedValue[] = definition.fields.map((each) => ({
      name: each.name,
      type: each.type,
      sensitive: each.sensitive,
      value: decoded[each.name] ?? null,
    }));
    const registered = fieldOf(stream, 'model') !== null;
    const emits = request.command === 'RegisterBike' ? !registered : registered;
    const outcome: Outcome = emits
      ? {
          outcome: 'emitted',
          replayed: false,
          streamType: 'Bike',
          streamId: stream,
          head: head(stream) + 1,
          events: [emit(request, stream, named)],
        }
      : {
          outcome: 'rejected',
          replayed: false,
          streamType: 'Bike',
          streamId: stream,
          head: head(stream),
          events: [],
          rejection: {
            decision: 'Register',
            guards: [{ branch: null, guard: 'current_model IS NULL' }],
            state: [
              { name: 'current_model', type: text, sensitive: false, value: fieldOf(stream, 'model') },
              { name: 'current_code', type: text, sensitive: true, value: fieldOf(stream, 'code') },
            ],
            command: named,
          },
        };
    if (request.commandId !== undefined) ids.set(`${stream}\n${request.commandId}`, { print, outcome });
    return outcome;
  }
  function emit(request: ExecuteRequest, stream: string, named: readonly NamedValue[]): Outcome['events'][number] {
    const fields = named.slice(1);
    const type = request.command === 'RegisterBike' ? 'BikeRegistered' : 'BikeRented';
    const seq = head(stream) + 1;
    events.push({
      stream,
      seq,
      type,
      data: new Map(fields.map((each) => [each.name, each.value])),
      correlation: request.correlationId ?? null,
    });
    return { type, streamType: 'Bike', streamId: stream, seq, fields };
  }
  function takeFailure(): void {
    const error = switches.failNext;
    switches.failNext = undefined;
    if (error !== undefined) throw error;
  }

  const store = {
    kind: 'memory',
    location: 'memory',
    secret: new Uint8Array(32),
    position: () => ({ entry: events.length, event: events.length, at: 0n }),
    refusesWrites: () => switches.refusesWrites,
  } as Partial<Store> as Store;
  const engine = {
    store,
    readOnly,
    domain: () => domain,
    registryVersion: () => 1,
    execute: async (request: ExecuteRequest) => {
      await Promise.resolve();
      takeFailure();
      return execute(request);
    },
    query: async (_: CompiledQuery, parameters: readonly Value[], { cleared }: { cleared: boolean }) => {
      await Promise.resolve();
      takeFailure();
      if (++queries > switches.failAfter) throw new Error('the disk of /var/secret failed');
      const table = select(parameters[0] as unknown as Selection);
      return cleared ? table : maskTable(table);
    },
  } as Partial<Engine> as Engine;
  return {
    engine,
    switches,
    head: (aggregate: string, stream: string) => Promise.resolve(aggregate === 'Bike' ? head(stream) : 0),
    events,
  };
}

/** The sample's stand-in for the compiler: the selection itself is the query's one parameter. */
export function sampleSelect(
  _: Domain,
  selection: Selection,
): Promise<{ query: CompiledQuery; parameters: readonly Value[] }> {
  return Promise.resolve({ query: none, parameters: [selection as unknown as Value] });
}
