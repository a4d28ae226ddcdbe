import type { SqliteQuery } from '../sqlite/query.ts';
import type { Type } from '../values/type.ts';
import type { CallerPart } from './caller.ts';

/** A column of a relation or a result. `sensitive` decides masking at every exit (docs/language.md#sensitive-values). */
export interface Column {
  readonly name: string;
  readonly type: Type;
  readonly nullable: boolean;
  readonly sensitive: boolean;
  /** Not part of `*` (the metadata of `$Events`). */
  readonly hidden?: true;
}

/**
 * Columns from a text: a name each, behind a colon its type unless that is STRING, with `[]` for a list of it, then `?` if it may be NULL and
 * `~` if it is hidden, such as `stream_id seq:BIGINT tags:STRING[]~ command_id?~`.
 */
export function columnsOf(text: string): readonly Column[] {
  return Array.from(
    text.matchAll(/(\w+)(?::(\w+)(\[\])?)?(\?)?(~)?/g),
    ([, name = '', kind = 'STRING', list, orNull, hidden]) => {
      const type = { kind } as Type; // a type without parameters
      return {
        name,
        type: list === undefined ? type : { kind: 'LIST', of: type },
        nullable: orNull !== undefined,
        sensitive: false,
        ...(hidden === undefined ? {} : { hidden: true }),
      };
    },
  );
}

/**
 * A query that was compiled for a read model. `reads` and the other facts are independent of the engine; only a store of the engine that it
 * was printed for reads its text.
 */
export interface CompiledQuery {
  /** In the order in which their values are given. */
  readonly parameters: readonly QueryParameter[];
  readonly columns: readonly Column[];
  /** Relations read, by the names that rights are given for: `Bike$Events`, `Bike$Agg`, `Fleet`, `meta_commands`. */
  readonly reads: readonly string[];
  /** True if it asks for the current time, or a relation behind it does: its answer can change while nothing is written. */
  readonly usesTime?: true;
  /** True if it draws random values itself. */
  readonly draws?: true;
  readonly sqlite: SqliteQuery;
}

export interface QueryParameter {
  readonly name: string;
  readonly type: Type;
  /** Set for a part of the caller, instead of a field of that name. */
  readonly caller?: CallerPart;
}
