/**
 * The types of the language (docs/language.md#types), and how a value of each is held in TypeScript:
 *
 * | type                 | TypeScript            | SQLite (read model)         | log payload (JSON)        |
 * |----------------------|-----------------------|-----------------------------|---------------------------|
 * | STRING UUID          | string                | TEXT                        | string                    |
 * | JSON                 | string (JSON text)    | TEXT                        | string (JSON text)        |
 * | INT                  | number                | INTEGER                     | number                    |
 * | BIGINT               | bigint                | INTEGER                     | decimal string            |
 * | DECIMAL(p,s)         | bigint, value × 10^s  | INTEGER, value × 10^s       | decimal string ("12.30")  |
 * | DOUBLE               | number                | REAL                        | number                    |
 * | BOOLEAN              | boolean               | INTEGER 0/1                 | boolean                   |
 * | TIMESTAMP            | bigint, µs since 1970 | INTEGER, same               | canonical ISO string      |
 * | DATE                 | number, days since 1970 | INTEGER, same             | `YYYY-MM-DD`              |
 * | WALL                 | bigint, µs since 1970-01-01T00:00 of its clock | INTEGER, same | never: a type of expressions only |
 * | INTERVAL             | string, as PostgreSQL prints it | TEXT, same        | never: a type of expressions only |
 * | LIST                 | readonly Value[]      | TEXT, JSON array of payload forms | array               |
 * | STRUCT               | ReadonlyMap<string, Value> | TEXT, JSON object of payload forms | object        |
 *
 * NULL is `null` everywhere. A DECIMAL is never a JavaScript number, on any path.
 */
export type Type =
  /** `bytes`: the text is bytes in the form `\\x…`, which DIGEST returns and ENCODE accepts. `enum`: it is one of these values. */
  | { readonly kind: 'STRING'; readonly length?: number; readonly bytes?: true; readonly enum?: EnumType }
  | { readonly kind: 'UUID' }
  | { readonly kind: 'INT' }
  | { readonly kind: 'BIGINT' }
  | { readonly kind: 'DECIMAL'; readonly precision: number; readonly scale: number; readonly bare?: true }
  | { readonly kind: 'DOUBLE' }
  | { readonly kind: 'BOOLEAN' }
  | { readonly kind: 'TIMESTAMP' }
  | { readonly kind: 'DATE' }
  | { readonly kind: 'INTERVAL' }
  /** The time that the clock of a zone shows; `LOCAL TIMESTAMP` in messages. */
  | { readonly kind: 'WALL' }
  | { readonly kind: 'JSON' }
  | { readonly kind: 'LIST'; readonly of: Type }
  | { readonly kind: 'STRUCT'; readonly fields: readonly StructField[] }
  /** The type of a bare NULL, before context gives it one; as a result column it is STRING. */
  | { readonly kind: 'NULL' };

/** An ENUM of the schema (docs/language.md#enum). */
export interface EnumType {
  readonly name: string;
  readonly values: readonly string[];
}

export interface StructField {
  readonly name: string;
  readonly type: Type;
  /** The field's own mark: a struct (`data` of `$Events`) is masked leaf by leaf. */
  readonly sensitive?: true;
}

export type Value = null | string | number | bigint | boolean | readonly Value[] | ReadonlyMap<string, Value>;

/** The name for people: `DECIMAL(12,2)`, `STRING`, `VARCHAR(20)`, `STRING[]`, `STRUCT`; bare `DECIMAL` as such. */
export function typeName(type: Type): string {
  switch (type.kind) {
    case 'STRING':
      if (type.enum !== undefined) return type.enum.name;
      return type.length === undefined ? 'STRING' : `VARCHAR(${type.length})`;
    case 'DECIMAL':
      return type.bare ? 'DECIMAL' : `DECIMAL(${type.precision},${type.scale})`;
    case 'WALL':
      return 'LOCAL TIMESTAMP';
    case 'LIST':
      return `${typeName(type.of)}[]`;
    default:
      return type.kind;
  }
}
