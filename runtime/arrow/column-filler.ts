import { makeData, type Data, type DataType } from 'apache-arrow';
import type { StructField, Type, Value } from '../values/type.ts';
import { arrowType } from './arrow-type.ts';
import { presence } from './presence.ts';
import { textBuffers } from './text-buffers.ts';

/** Turns the values of one column of one batch into Arrow's buffers. */
export type ColumnFiller = (values: readonly Value[]) => Data;

/**
 * A filler made once for a column's type. Buffers are filled by hand: the library's own builders take an object a value and
 * reject bigints where exactness needs them.
 */
export function columnFiller(type: Type): ColumnFiller {
  switch (type.kind) {
    case 'STRING':
    case 'UUID':
    case 'JSON':
    case 'NULL':
      return textFiller(arrowType(type));
    case 'INT':
    case 'DATE':
      return numberFiller(arrowType(type), (length) => new Int32Array(length));
    case 'DOUBLE':
      return numberFiller(arrowType(type), (length) => new Float64Array(length));
    case 'BIGINT':
    case 'TIMESTAMP':
      return bigintFiller(arrowType(type));
    case 'DECIMAL':
      return decimalFiller(arrowType(type));
    case 'BOOLEAN':
      return booleanFiller(arrowType(type));
    case 'LIST':
      return listFiller(arrowType(type), columnFiller(type.of));
    case 'STRUCT':
      return structFiller(arrowType(type), type.fields);
  }
}

// A filler's casts state what `values/type.ts` promises about the values of its type; nothing else fills these columns.

function textFiller(type: DataType): ColumnFiller {
  return (values) => {
    const { offsets, bytes } = textBuffers(values as readonly (string | null)[]);
    return makeData({ type, length: values.length, ...presence(values), valueOffsets: offsets, data: bytes } as never);
  };
}

function numberFiller(type: DataType, allocate: (length: number) => Int32Array | Float64Array): ColumnFiller {
  return (values) => {
    const data = allocate(values.length);
    for (let at = 0; at < values.length; at++) {
      const value = values[at] as number | null;
      if (value !== null) data[at] = value;
    }
    return makeData({ type, length: values.length, ...presence(values), data } as never);
  };
}

function bigintFiller(type: DataType): ColumnFiller {
  return (values) => {
    const data = new BigInt64Array(values.length);
    for (let at = 0; at < values.length; at++) {
      const value = values[at] as bigint | null;
      if (value !== null) data[at] = value;
    }
    return makeData({ type, length: values.length, ...presence(values), data } as never);
  };
}

/** 128-bit two's complement, low word first; a bigint assigned to a 64-bit element keeps its low 64 bits. */
function decimalFiller(type: DataType): ColumnFiller {
  return (values) => {
    const words = new BigInt64Array(values.length * 2);
    for (let at = 0; at < values.length; at++) {
      const value = values[at] as bigint | null;
      if (value === null) continue;
      words[2 * at] = value;
      words[2 * at + 1] = value >> 64n;
    }
    const data = new Uint32Array(words.buffer);
    return makeData({ type, length: values.length, ...presence(values), data } as never);
  };
}

function booleanFiller(type: DataType): ColumnFiller {
  return (values) => {
    const data = new Uint8Array((values.length + 7) >> 3);
    for (let at = 0; at < values.length; at++) {
      if (values[at] === true) data[at >> 3] = (data[at >> 3] ?? 0) | (1 << (at & 7));
    }
    return makeData({ type, length: values.length, ...presence(values), data } as never);
  };
}

function listFiller(type: DataType, items: ColumnFiller): ColumnFiller {
  return (values) => {
    const valueOffsets = new Int32Array(values.length + 1);
    const flat: Value[] = [];
    for (let at = 0; at < values.length; at++) {
      const list = values[at] as readonly Value[] | null;
      if (list !== null) for (const item of list) flat.push(item);
      valueOffsets[at + 1] = flat.length;
    }
    return makeData({ type, length: values.length, ...presence(values), valueOffsets, child: items(flat) } as never);
  };
}

/** A field that a struct's map lacks is NULL. */
function structFiller(type: DataType, fields: readonly StructField[]): ColumnFiller {
  const members = fields.map((field) => ({ name: field.name, fill: columnFiller(field.type) }));
  return (values) => {
    const structs = values as readonly (ReadonlyMap<string, Value> | null)[];
    const children = members.map(({ name, fill }) => fill(structs.map((struct) => struct?.get(name) ?? null)));
    return makeData({ type, length: values.length, ...presence(values), children } as never);
  };
}
