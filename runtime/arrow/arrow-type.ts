import {
  Bool,
  type DataType,
  DateDay,
  Decimal,
  Field,
  Float64,
  Int32,
  Int64,
  List,
  Struct,
  TimestampMicrosecond,
  Utf8,
} from 'apache-arrow';
import type { Type } from '../../language/values/type.ts';

/** The Arrow type of a language type (docs/language.md#types). Texts are plain Utf8, never dictionaries. */
export function arrowType(type: Type): DataType {
  switch (type.kind) {
    case 'STRING':
    case 'UUID':
    case 'INTERVAL':
    case 'JSON':
    case 'NULL':
      return new Utf8();
    case 'INT':
      return new Int32();
    case 'BIGINT':
      return new Int64();
    case 'DECIMAL':
      return new Decimal(type.scale, type.precision, 128);
    case 'DOUBLE':
      return new Float64();
    case 'BOOLEAN':
      return new Bool();
    case 'TIMESTAMP':
      return new TimestampMicrosecond('UTC');
    case 'WALL':
      return new TimestampMicrosecond(null);
    case 'DATE':
      return new DateDay();
    case 'LIST':
      return new List(new Field('item', arrowType(type.of), true));
    case 'STRUCT':
      return new Struct(type.fields.map((field) => new Field(field.name, arrowType(field.type), true)));
  }
}
