/**
 * Events that are read after a change of the registry, in the form that they had before it: an answer under way goes on as it began. What
 * may change under stored events are types, and those only widen (language.md section 4, EVENT); every value that was there before is one
 * of the narrower type.
 */
import type { ColumnBatch, ColumnBytes } from '../contract/column-bytes.ts';
import type { Domain } from '../contract/domain.ts';
import type { Column } from '../contract/query.ts';
import type { AggregateDefinition } from '../contract/relation.ts';
import type { Table } from '../engine/outcome.ts';
import type { Type, Value } from '../values/type.ts';
import type { ReadPage } from './event-pages.ts';

/** Whether rows of the aggregate can still be read in the form that they had: it has all their columns. Payloads may have gained fields. */
export function staysReadable(domain: Domain, aggregate: AggregateDefinition): boolean {
  const now = partsOf(domain.aggregates.find(({ name }) => name === aggregate.name)?.eventColumns ?? []);
  return [...partsOf(aggregate.eventColumns)].every(([name, part]) => {
    const found = now.get(name);
    return found?.facts === part.facts && isNarrowed(found.type, part.type);
  });
}

/** Reads pages of rows in the form of the aggregate, whichever registry they are read by. */
export function rowsInFormOf(aggregate: AggregateDefinition, read: ReadPage<Table>): ReadPage<Table> {
  const then = new Map(aggregate.eventColumns.map((column) => [column.name, column]));
  return async (call, selection, limits) => {
    const page = await read(call, selection, limits);
    const { columns, rows } = page.content;
    const earlier = columns.map((column) => then.get(column.name) ?? column);
    const narrow = columns.map(({ type }, index) => valueNarrowing(type, earlier[index]?.type ?? type));
    if (narrow.every((each) => each === undefined)) return page;
    const narrowed = rows.map((row) => row.map((value, index) => narrow[index]?.(value) ?? value));
    return { ...page, content: { columns: earlier, rows: narrowed } };
  };
}

/** The same of pages by column. */
export function bytesInFormOf(aggregate: AggregateDefinition, read: ReadPage<ColumnBatch>): ReadPage<ColumnBatch> {
  const then = partsOf(aggregate.eventColumns);
  return async (call, selection, limits) => {
    const page = await read(call, selection, limits);
    const found = call.domain.aggregates.find(({ name }) => name === aggregate.name);
    if (found === undefined || found === aggregate) return page;
    const now = partsOf(found.eventColumns);
    const columns = page.content.columns.map((bytes, index) => {
      const name = selection.columns[index] ?? '';
      const [from, to] = [now.get(name)?.type, then.get(name)?.type];
      return from === undefined || to === undefined ? bytes : narrowedBytes(bytes, page.rows, from, to);
    });
    return { ...page, content: { ...page.content, columns } };
  };
}

interface ColumnPart {
  readonly type: Type;
  /** All that must not change. */
  readonly facts: string;
}

/** Columns by name, and of a payload each field, as `data.<field>`. */
function partsOf(columns: readonly Column[]): ReadonlyMap<string, ColumnPart> {
  return new Map(
    columns.flatMap(({ type, ...column }): (readonly [string, ColumnPart])[] => {
      if (type.kind !== 'STRUCT') return [[column.name, { type, facts: JSON.stringify(column) }]];
      return type.fields.map(({ type: fieldType, ...field }) => [
        `${column.name}.${field.name}`,
        { type: fieldType, facts: JSON.stringify([column, field]) },
      ]);
    }),
  );
}

const scaled = ['INT', 'BIGINT', 'DECIMAL'];

/** Whether values of `then` are told from values of `now` by their numbers alone. */
function isNarrowed(now: Type, then: Type): boolean {
  if (scaled.includes(now.kind) && scaled.includes(then.kind)) return scaleOf(now) >= scaleOf(then);
  if (now.kind === 'STRING' && then.kind === 'STRING') return true;
  return JSON.stringify(now) === JSON.stringify(then);
}

function scaleOf(type: Type): number {
  return type.kind === 'DECIMAL' ? type.scale : 0;
}

/** Undefined where values are the same in both. */
function valueNarrowing(now: Type, then: Type): ((value: Value) => Value) | undefined {
  if (now.kind === 'STRUCT' && then.kind === 'STRUCT') {
    const types = new Map(then.fields.map(({ name, type }) => [name, type]));
    const fields = now.fields.flatMap(({ name, type }) => {
      const narrow = valueNarrowing(type, types.get(name) ?? type);
      return narrow === undefined ? [] : [[name, narrow] as const];
    });
    if (fields.length === 0) return undefined;
    const narrowing = new Map(fields);
    return (value) =>
      value instanceof Map
        ? new Map(
            [...(value as ReadonlyMap<string, Value>)].map(([name, part]) => [
              name,
              narrowing.get(name)?.(part) ?? part,
            ]),
          )
        : value;
  }
  if (!changesNumbers(now, then)) return undefined;
  const by = 10n ** BigInt(scaleOf(now) - scaleOf(then));
  return (value) => {
    if (typeof value !== 'number' && typeof value !== 'bigint') return value;
    const whole = BigInt(value) / by;
    return then.kind === 'INT' ? Number(whole) : whole;
  };
}

function changesNumbers(now: Type, then: Type): boolean {
  if (!scaled.includes(now.kind) || !scaled.includes(then.kind)) return false;
  return now.kind !== then.kind || scaleOf(now) !== scaleOf(then);
}

function narrowedBytes(column: ColumnBytes, rows: number, now: Type, then: Type): ColumnBytes {
  const [given] = column.buffers;
  if (given === undefined || !changesNumbers(now, then)) return column;
  const by = 10n ** BigInt(scaleOf(now) - scaleOf(then));
  const [from, to] = [widthOf(now), widthOf(then)];
  const bytes = new Uint8Array(Math.ceil((rows * to) / 8) * 8);
  const read = new DataView(given.buffer, given.byteOffset, given.byteLength);
  const write = new DataView(bytes.buffer);
  for (let row = 0; row < rows; row++) {
    const value = from === 4 ? BigInt(read.getInt32(row * from, true)) : read.getBigInt64(row * from, true);
    const whole = value / by;
    if (to === 4) write.setInt32(row * to, Number(whole), true);
    else write.setBigInt64(row * to, whole, true);
    if (to === 16) write.setBigInt64(row * to + 8, whole >> 63n, true); // a DECIMAL has 18 digits at most: the rest is its sign
  }
  return { ...column, buffers: [bytes.subarray(0, rows * to)] };
}

/** As `ColumnBytes` has it. */
function widthOf({ kind }: Type): 4 | 8 | 16 {
  return kind === 'INT' ? 4 : kind === 'BIGINT' ? 8 : 16;
}
