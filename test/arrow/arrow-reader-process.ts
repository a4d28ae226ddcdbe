// Reads Arrow streams in a process of its own, so that what is compared went through bytes alone and a reader that hangs on
// them hangs nothing else. Values are printed from the raw buffers, because the library's getters round some of them.
import { DataType, tableFromIPC, Type, type Data, type Table } from 'apache-arrow';

process.on('message', ({ id, bytes }: { id: number; bytes: string }) => {
  try {
    process.send?.({ id, table: describe(tableFromIPC(Buffer.from(bytes, 'base64'))) });
  } catch (error) {
    process.send?.({ id, error: String(error) });
  }
});

function describe(table: Table): object {
  return {
    columns: table.schema.fields.map(
      (field) => `${field.name}: ${typeText(field.type)}${field.nullable ? '' : ' not null'}`,
    ),
    // The reader makes up an empty batch where a stream has none.
    batches: table.batches.map((batch) => batch.numRows).filter((rows) => rows > 0),
    rows: table.batches.flatMap((batch) =>
      Array.from({ length: batch.numRows }, (_, row) =>
        batch.data.children.map((column: Data) => valueAt(column, row)),
      ),
    ),
  };
}

function typeText(type: DataType): string {
  if (DataType.isDecimal(type)) return `Decimal${type.bitWidth}(${type.precision},${type.scale})`;
  if (DataType.isStruct(type))
    return `Struct<${type.children.map((f) => `${f.name}: ${typeText(f.type)}`).join(', ')}>`;
  if (DataType.isList(type)) return `List<${typeText(type.valueType as DataType)}>`;
  return (type as { toString: () => string }).toString();
}

/** JSON-safe and exact: 64-bit values and timestamps as text, decimals as their unscaled integer's text. */
function valueAt(data: Data, at: number): unknown {
  if (data.nullCount > 0 && !isSet(data.nullBitmap, data.offset + at)) return null;
  const offsets = data.valueOffsets as Int32Array | undefined;
  const [from, to] = [offsets?.[at] ?? 0, offsets?.[at + 1] ?? 0];
  switch (data.type.typeId) {
    case Type.Utf8:
      return Buffer.from((data.values as Uint8Array).subarray(from, to)).toString('utf8');
    case Type.Int: {
      const value = (data.values as Int32Array | BigInt64Array)[at];
      return typeof value === 'bigint' ? String(value) : value;
    }
    case Type.Timestamp:
      return String((data.values as BigInt64Array)[at]);
    case Type.Decimal:
      return decimalAt(data.values as Uint32Array, at);
    case Type.Bool:
      return isSet(data.values as Uint8Array, data.offset + at);
    case Type.List:
      return Array.from({ length: to - from }, (_, index) => valueAt(child(data, 0), from + index));
    case Type.Struct:
      return Object.fromEntries(
        data.type.children.map((field, index) => [field.name, valueAt(child(data, index), at)]),
      );
    default:
      return (data.values as Int32Array | Float64Array)[at];
  }
}

function decimalAt(words: Uint32Array, at: number): string {
  let value = 0n;
  for (let word = 3; word >= 0; word--) value = (value << 32n) | BigInt(words[at * 4 + word] ?? 0);
  return String(BigInt.asIntN(128, value));
}

function child(data: Data, index: number): Data {
  const found = data.children[index];
  if (found === undefined) throw new Error(`no child ${index}`);
  return found;
}

function isSet(bits: Uint8Array, at: number): boolean {
  return ((bits[at >> 3] ?? 0) & (1 << (at & 7))) !== 0;
}
