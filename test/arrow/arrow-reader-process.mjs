// Reads Arrow streams in a process of its own, so that what is compared went through bytes alone and a reader that hangs on
// them hangs nothing else. Values are printed from the raw buffers, because the library's getters round some of them.
import { tableFromIPC, Type } from 'apache-arrow';

process.on('message', ({ id, bytes }) => {
  try {
    process.send({ id, table: describe(tableFromIPC(Buffer.from(bytes, 'base64'))) });
  } catch (error) {
    process.send({ id, error: String(error) });
  }
});

function describe(table) {
  return {
    columns: table.schema.fields.map(
      (field) => `${field.name}: ${typeText(field.type)}${field.nullable ? '' : ' not null'}`,
    ),
    // The reader makes up an empty batch where a stream has none.
    batches: table.batches.map((batch) => batch.numRows).filter((rows) => rows > 0),
    rows: table.batches.flatMap((batch) =>
      Array.from({ length: batch.numRows }, (_, row) => batch.data.children.map((column) => valueAt(column, row))),
    ),
  };
}

function typeText(type) {
  if (type.typeId === Type.Decimal) return `Decimal${type.bitWidth}(${type.precision},${type.scale})`;
  if (type.typeId === Type.Struct)
    return `Struct<${type.children.map((f) => `${f.name}: ${typeText(f.type)}`).join(', ')}>`;
  if (type.typeId === Type.List) return `List<${typeText(type.children[0].type)}>`;
  return String(type);
}

/** JSON-safe and exact: 64-bit values and timestamps as text, decimals as their unscaled integer's text. */
function valueAt(data, row) {
  const at = row;
  if (data.nullCount > 0 && !isSet(data.nullBitmap, data.offset + at)) return null;
  switch (data.type.typeId) {
    case Type.Utf8: {
      const [from, to] = [data.valueOffsets[at], data.valueOffsets[at + 1]];
      return Buffer.from(data.values.subarray(from, to)).toString('utf8');
    }
    case Type.Int: {
      const value = data.values[at];
      return typeof value === 'bigint' ? `${value}` : value;
    }
    case Type.Timestamp:
      return `${new BigInt64Array(data.values.buffer, data.values.byteOffset, data.values.byteLength / 8)[at]}`;
    case Type.Decimal: {
      let value = 0n;
      for (let word = 3; word >= 0; word--) value = (value << 32n) | BigInt(data.values[at * 4 + word]);
      return `${BigInt.asIntN(128, value)}`;
    }
    case Type.Bool:
      return isSet(data.values, data.offset + at);
    case Type.List: {
      const [from, to] = [data.valueOffsets[at], data.valueOffsets[at + 1]];
      return Array.from({ length: to - from }, (_, index) => valueAt(data.children[0], from + index));
    }
    case Type.Struct:
      return Object.fromEntries(
        data.type.children.map((field, index) => [field.name, valueAt(data.children[index], at)]),
      );
    default:
      return data.values[at];
  }
}

function isSet(bits, at) {
  return (bits[at >> 3] & (1 << (at & 7))) !== 0;
}
