/** Parquet: row groups of 65,536 rows, Snappy, statistics for each column of each group. */
import { ByteWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer';
import type { Type } from '../../../language/values/type.ts';
import type { ArchiveColumn } from '../../operation/export/archive-columns.ts';
import type { ArchiveForm } from './form.ts';

export const parquetForm: ArchiveForm = {
  name: 'parquet',
  extension: '.parquet',
  rows: 65_536,
  begin: (columns) => {
    const writer = new ByteWriter();
    const file = new ParquetWriter({ writer, schema: schemaOf(columns), createdBy: 'schemac' });
    /** The bytes since the last call; offsets in the file count on. */
    const taken = (): Uint8Array => {
      const bytes = writer.getBytes();
      writer.index = 0;
      return bytes;
    };
    return {
      head: taken,
      rows: (rows) => {
        const columnData = columns.map(({ name }, at) => ({
          name,
          // The values of `values/type.ts` are those that the library takes for these elements.
          data: rows.map((row) => row[at] ?? null),
        }));
        // The promise of `write` is for writers that flush.
        void file.write({ columnData, rowGroupSize: rows.length });
        return taken();
      },
      end: () => {
        void file.finish();
        return taken();
      },
    };
  },
};

function schemaOf(columns: readonly ArchiveColumn[]): SchemaElement[] {
  // A masked value of a type without a mask is NULL.
  const elements = columns.flatMap(({ name, type, nullable, sensitive }) =>
    elementsOf(name, type, nullable || sensitive),
  );
  return [{ name: 'events', num_children: columns.length }, ...elements];
}

/** The element of a column, and after it those of its items. */
function elementsOf(name: string, type: Type, nullable: boolean): readonly SchemaElement[] {
  const repetition_type = nullable ? 'OPTIONAL' : 'REQUIRED';
  if (type.kind === 'LIST')
    return [
      { name, repetition_type, num_children: 1, converted_type: 'LIST' },
      { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
      ...elementsOf('element', type.of, true),
    ];
  return [{ name, repetition_type, ...physicalType(type) }];
}

/** Digits of a decimal that 64 bits always hold. */
const shortDigits = 18;

function physicalType(type: Type): Omit<SchemaElement, 'name'> {
  switch (type.kind) {
    case 'STRING':
    case 'UUID':
    case 'JSON':
      return { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } };
    case 'INT':
      return { type: 'INT32' };
    case 'BIGINT':
      return { type: 'INT64' };
    case 'DECIMAL': {
      const { precision, scale } = type;
      const decimal = { converted_type: 'DECIMAL', precision, scale } as const;
      const logical = { logical_type: { type: 'DECIMAL', precision, scale } } as const;
      if (precision <= shortDigits) return { type: 'INT64', ...decimal, ...logical };
      return { type: 'FIXED_LEN_BYTE_ARRAY', type_length: 16, ...decimal, ...logical };
    }
    case 'DOUBLE':
      return { type: 'DOUBLE' };
    case 'BOOLEAN':
      return { type: 'BOOLEAN' };
    case 'TIMESTAMP':
      return { type: 'INT64', logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' } };
    case 'DATE':
      return { type: 'INT32', converted_type: 'DATE', logical_type: { type: 'DATE' } };
    case 'INTERVAL':
    case 'WALL':
    case 'LIST':
    case 'STRUCT':
    case 'NULL':
      throw new Error(`no field of an event is of type ${type.kind}`);
  }
}
