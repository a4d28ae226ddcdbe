/** A history by chance of a domain, and which of its rows a caller sees: computed from all rows by conditions of the test. */
import type { Chance } from '../crash/chance.ts';
import {
  memberColumns,
  numberText,
  pick,
  pools,
  truthOf,
  type Columns,
  type Known,
  type Kind,
  type Row,
  type Value,
} from './condition.ts';
import type { Aggregate, Clause, Projection, TestDomain } from './domain.ts';
import { jsonRows, root, type Asker, type Cell, type Cells, type Served } from './served.ts';

export const streamIds = ['ada', 'bo', 'blue', 'x1', 'x2', 'x3', 'Ω', 'a b', 'x/4'] as const;
/** An argument as JSON: a number as its text, which commands take as well. */
export const argument = (value: Value, kind: Kind): unknown =>
  typeof value === 'bigint' ? numberText(value, kind) : value;

export function someValue(chance: Chance, kind: Kind): Value {
  return chance.below(4) === 0 ? null : pick(chance, pools[kind]);
}

let marks = 0;

/** The arguments of a command that sets some fields. */
export function someArguments(chance: Chance, columns: Columns): Readonly<Record<string, Value>> {
  const given = Object.entries(columns).map(([name, kind]) => [name, someValue(chance, kind)] as const);
  marks += 1;
  return {
    ...Object.fromEntries(given),
    mark: `mark-${marks}`,
    ...(columns['secret'] === undefined ? {} : { secret: `hidden-${marks}` }),
  };
}

export const sentArguments = (given: Readonly<Record<string, Value>>, columns: Columns): object =>
  Object.fromEntries(Object.entries(given).map(([name, value]) => [name, argument(value, columns[name] ?? 'STRING')]));

export async function put(served: Served, name: string, id: object, given: object): Promise<void> {
  marks += 1;
  const path = `/api/aggregates/${name}/execute/Put${name}`;
  const answer = await served.post(root, path, { ...id, ...given }, { 'Idempotency-Key': `k${marks}` });
  if (answer.status !== 200) throw new Error(`${name}: ${answer.body.toString()}`);
}

/** Writes one of six members. */
export async function writeMember(chance: Chance, served: Served): Promise<void> {
  const { member_id: _, ...fields } = memberColumns;
  const given = Object.entries(fields).map(([name, kind]) => [name, argument(someValue(chance, kind), kind)]);
  await put(served, 'Member', { member_id: `m${chance.below(6)}` }, Object.fromEntries(given));
}

export async function writeSome(chance: Chance, served: Served, domain: TestDomain, count: number): Promise<void> {
  for (let at = 0; at < count; at++) {
    if (chance.below(5) === 0) {
      await writeMember(chance, served);
    } else {
      const { name, fields } = pick(chance, domain.aggregates);
      const id = pick(chance, streamIds);
      await put(served, name, { id }, sentArguments(someArguments(chance, fields), fields));
    }
  }
}

/** A cell as a value of its kind. */
export function valueOfCell(cell: Cell | undefined, kind: Kind): Value {
  if (cell === undefined) throw new Error('the row has no such column');
  if (cell === null) return null;
  if (kind === 'BOOLEAN') return cell === 'true';
  if (!(typeof pools[kind][0] === 'bigint')) return cell;
  const [whole = '', fraction = ''] = cell.split('.');
  return BigInt(whole + fraction.padEnd(2, '0').slice(0, 2));
}

export function rowOf(cells: Cells, columns: Columns): Row {
  return Object.fromEntries(Object.entries(columns).map(([name, kind]) => [name, valueOfCell(cells[name], kind)]));
}

/** All that decides about rows, at one position. */
export interface Everything {
  readonly members: readonly Row[];
  /** By aggregate, by stream. */
  readonly states: ReadonlyMap<string, ReadonlyMap<string, Row>>;
}

export const stateColumns = ({ fields }: Aggregate): Columns => ({ aggregate_id: 'STRING', ...fields });

/** All rows of a path, in the clear; none of a stream that was never written. */
export async function everyRow(served: Served, path: string): Promise<readonly Cells[] | undefined> {
  const answer = await served.ask(root, path);
  if (answer.status === 404) return undefined;
  if (answer.status !== 200) throw new Error(`${path}: ${answer.body.toString()}`);
  return jsonRows(answer.body);
}

export async function everything(served: Served, domain: TestDomain): Promise<Everything> {
  const members = ((await everyRow(served, '/api/aggregates/Member')) ?? []).map((row) => rowOf(row, memberColumns));
  const states = new Map<string, ReadonlyMap<string, Row>>();
  for (const aggregate of domain.aggregates) {
    const rows = (await everyRow(served, `/api/aggregates/${aggregate.name}`)) ?? [];
    states.set(
      aggregate.name,
      new Map(rows.map((row) => [row['aggregate_id'] ?? '', rowOf(row, stateColumns(aggregate))])),
    );
  }
  return { members, states };
}

export const known = (asker: Asker, { members }: Everything): Known => ({ who: asker.who, members });

export function admits(clause: Clause, row: Row, asker: Asker, all: Everything): boolean {
  if (clause === undefined || clause === 'all' || asker.rights.includes('rows:all')) return true;
  return truthOf(clause, row, known(asker, all)) === true;
}

/** Whether a caller sees a stream, by its state now. */
export function seesStream({ name, visible }: Aggregate, id: string, asker: Asker, all: Everything): boolean {
  const row = all.states.get(name)?.get(id);
  if (row === undefined) return visible === undefined || visible === 'all' || asker.rights.includes('rows:all');
  return admits(visible, row, asker, all);
}

/** Whether SENSITIVE values of a row are shown as they are. */
export function isClear(
  { clear }: Aggregate | Projection,
  row: Row | undefined,
  asker: Asker,
  all: Everything,
): boolean {
  if (asker.rights.includes('sensitive:read')) return true;
  return clear !== undefined && row !== undefined && truthOf(clear, row, known(asker, all)) === true;
}
