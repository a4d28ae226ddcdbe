import type * as Arrow from 'apache-arrow';

type Reader = (index: number) => unknown;

/**
 * Reads one column of a record batch exactly, which the package's own accessors do not: a DECIMAL as text, a
 * TIMESTAMP as ISO text with microseconds, a DATE as ISO text, integers as they are, a list as an array, a struct as
 * an object.
 */
export function columnReader(arrow: typeof Arrow, data: Arrow.Data): Reader {
  const read = valueReader(arrow, data);
  return data.nullCount === 0 ? read : (index) => (data.getValid(index) ? read(index) : null);
}

function valueReader(arrow: typeof Arrow, data: Arrow.Data): Reader {
  const { DataType } = arrow;
  const { type } = data;
  if (DataType.isDecimal(type)) {
    const words = data.values as Uint32Array;
    const { scale } = type;
    const width = type.bitWidth / 32;
    return (index) => decimalText(words.subarray(index * width, (index + 1) * width), scale);
  }
  if (DataType.isTimestamp(type)) {
    const micros = data.values as BigInt64Array;
    return (index) => timestampText(micros[index] ?? 0n);
  }
  if (DataType.isDate(type)) {
    const days = data.values as Int32Array;
    return (index) => new Date((days[index] ?? 0) * 86_400_000).toISOString().slice(0, 10);
  }
  if (DataType.isInt(type) || DataType.isFloat(type)) {
    const values = data.values as ArrayLike<number | bigint>;
    return (index) => values[index];
  }
  if (DataType.isList(type)) return listReader(arrow, data);
  if (DataType.isStruct(type)) return structReader(arrow, type.children, data);
  const vector = new arrow.Vector([data]);
  return (index) => vector.get(index) as unknown;
}

function listReader(arrow: typeof Arrow, data: Arrow.Data): Reader {
  const [items] = data.children;
  if (items === undefined) return () => [];
  const item = columnReader(arrow, items);
  const offsets = data.valueOffsets as Int32Array;
  return (index) => {
    const from = offsets[index] ?? 0;
    return Array.from({ length: (offsets[index + 1] ?? from) - from }, (_, at) => item(from + at));
  };
}

function structReader(arrow: typeof Arrow, fields: readonly Arrow.Field[], data: Arrow.Data): Reader {
  const members = data.children.map((child, at) => [fields[at]?.name ?? '', columnReader(arrow, child)] as const);
  return (index) => Object.fromEntries(members.map(([name, read]) => [name, read(index)]));
}

/** Little-endian 32-bit words in two's complement. */
function decimalText(words: Uint32Array, scale: number): string {
  const unsigned = words.reduceRight((sum, word) => (sum << 32n) | BigInt(word), 0n);
  const unscaled = BigInt.asIntN(words.length * 32, unsigned);
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, '0');
  const sign = unscaled < 0n ? '-' : '';
  return scale === 0 ? sign + digits : `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

function timestampText(micros: bigint): string {
  const rest = BigInt.asUintN(64, ((micros % 1000n) + 1000n) % 1000n);
  const text = new Date(Number((micros - rest) / 1000n)).toISOString();
  return `${text.slice(0, -1)}${String(rest).padStart(3, '0')}Z`;
}
