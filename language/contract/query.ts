import type { Type } from '../values/type.ts';

/** A column of a relation or a result. `sensitive` decides masking at every exit (docs/language.md#sensitive-values). */
export interface Column {
  readonly name: string;
  readonly type: Type;
  readonly nullable: boolean;
  readonly sensitive: boolean;
  /** Not part of `*` (the metadata of `$Events`). */
  readonly hidden?: true;
}

/** A query printed for the engine of the embedded read model. The compiler prints all of its text; values come in as parameters. */
export interface CompiledQuery {
  readonly sql: string;
  /** In the order of the `?1`, `?2`, … of `sql`. */
  readonly parameters: readonly QueryParameter[];
  readonly columns: readonly Column[];
  /** Relations read, by the names that rights are given for: `Bike$Events`, `Bike$Agg`, `Fleet`, `meta_commands`. */
  readonly reads: readonly string[];
  /** Views whose rows are copied into their tables before it runs, in this order (`SharedView`). */
  readonly shared?: readonly string[];
}

export interface QueryParameter {
  readonly name: string;
  readonly type: Type;
}
