/**
 * The contract of this folder. Takes syntax trees, gives a typed, immutable catalog and bound statements; never emits, never
 * touches files, never throws on bad input.
 */
import type { RecordUse } from './symbol-use.ts';
import type { StoredShape } from '../../../language/contract/event.ts';
import type { Column } from '../../../language/contract/query.ts';
import type { EnumType, Type } from '../../../language/values/type.ts';
import type { Block } from '../../../language/catalog/block.ts';
import type { Catalog } from '../../../language/catalog/catalog.ts';
import type { Spans, TypedExpression } from '../../../language/catalog/expression.ts';
import type { BoundQuery } from '../../../language/catalog/query.ts';
import type { WaitingBlock } from '../../../language/catalog/waiting-block.ts';
import type { Diagnostic } from '../../../language/diagnostics/diagnostic.ts';
import type { Span } from '../../../language/source/span.ts';
import type { BlockKind } from '../../../language/contract/block-kind.ts';
import type { BlockStatement } from '../../syntax/ast.ts';
import type { LostBlocks } from '../../syntax/grammar/lost-blocks.ts';

/** The registry at one moment: its catalog and, behind it, the trees (parsed from `block.text` on first use). */
export interface Registry {
  readonly catalog: Catalog;
  readonly tree: (kind: BlockKind, name: string) => BlockStatement | undefined;
  /** Not in the catalog until the blocks they name exist. */
  readonly waiting: readonly WaitingBlock[];
}

/** The restrictions and events of the stored history (docs/language.md#event). Empty for `check` and `build`. */
export interface StoredHistory {
  /** Which events were ever stored in which aggregate. */
  readonly landed: readonly { readonly aggregate: string; readonly event: string }[];
  /** Every definition that an event type ever had. */
  readonly definitions: readonly StoredDefinition[];
  /** The highest version each event type ever had, and its definition, if known. */
  readonly versions: readonly {
    readonly event: string;
    readonly version: number;
    readonly text?: string;
    /** The stored fields of that definition: all but VOLATILE ones. */
    readonly fields?: readonly { readonly name: string; readonly type: Type }[];
  }[];
  /** The last definition of every enum, those that were dropped included. */
  readonly enums: readonly EnumType[];
}
export const noHistory: StoredHistory = { landed: [], definitions: [], versions: [], enums: [] };

/** A definition of an event, as the log recorded it. */
export interface StoredDefinition {
  readonly event: string;
  readonly version: number;
  /** Number of events stored under it, in all aggregates. */
  readonly count: number;
  readonly fields: readonly {
    readonly name: string;
    readonly type: Type;
    readonly sensitive: boolean;
    readonly volatile: boolean;
  }[];
  /** The shapes that its UPCAST clauses read. */
  readonly upcasts?: readonly Omit<StoredShape, 'versions'>[];
}

export interface RegistryChange {
  readonly put: readonly BlockStatement[];
  readonly drop: readonly {
    readonly kind: BlockKind;
    readonly name: string;
    /** Where a script names it. */ readonly span?: Span;
  }[];
  /**
   * `script`: each put is a CREATE at its turn (taken name → error unless identical or OR REPLACE).
   * `files`: all puts together are one compilation (OR REPLACE wins over a plain CREATE; two of one kind are an error) and are the whole
   * truth: nothing of the registry given is kept.
   */
  readonly mode: 'script' | 'files';
  /** Blocks created later in the text, which the put blocks may already name. Their own errors are not reported. */
  readonly forward: readonly BlockStatement[];
  readonly history: StoredHistory;
  /** Applications of templates behind the put blocks, from template expansion; stored for DESCRIBE and the meta relations. */
  readonly instances?: readonly { readonly template: string; readonly name: string; readonly parameters: string }[];
  /** In a change of files: the blocks that text with errors would have put. */
  readonly lost?: LostBlocks;
  /** Blocks that a registry had accepted: exceeding a newer limit is a warning, so that a log still starts. */
  readonly accepted?: boolean;
  /** The interactive session: a payload field that no event carries yet is NULL instead of an error. */
  readonly lenientPayload?: boolean;
  /** Maximum number of errors that are reported; without it, the usual one. */
  readonly mostErrors?: number;
}

export interface ChangeResult {
  /** With errors among the diagnostics, the unchanged registry. */
  readonly registry: Registry;
  readonly diagnostics: readonly Diagnostic[];
  /** In the order of `put`, then of `drop`. */
  readonly changes: readonly BlockChange[];
  /** Blocks that waited for blocks of this change, and are now in the catalog. */
  readonly completed?: readonly BlockChange[];
}
export interface BlockChange {
  readonly kind: BlockKind;
  readonly name: string;
  readonly change: 'created' | 'replaced' | 'unchanged' | 'dropped';
  readonly block?: Block;
  /** False while the block names a later one: then it waits, and must not be appended to a log yet. */
  readonly complete: boolean;
}

/** The names that a query outside the schema may see in addition to the registry. */
export interface BindScope {
  /** Session tables and recorded inspections, by name. */
  readonly tables: readonly {
    readonly name: string;
    readonly columns: readonly Column[];
    readonly eventsOf?: string;
  }[];
  /** True for a holder of `sensitive:read`: no masks, and no refusals because of sensitive values. */
  readonly cleared: boolean;
  readonly lenientPayload?: boolean;
  /** The registry for reading a named event store. If absent, naming one is refused: only the tool reads other stores. */
  readonly storeRegistry?: (store: string) => Registry;
  /** The columns of an aggregate's recorded commands, `X$Commands`. If absent, there is no such relation: only callers of a store read it. */
  readonly commandColumns?: (aggregate: string) => readonly Column[];
  readonly limits?: ShapeLimits;
  /** Values that come with the query, which `:name` names. */
  readonly given?: readonly { readonly name: string; readonly type: Type }[];
  /** The relations of the registry that the caller may know of; all if absent. */
  readonly access?: RelationAccess;
  /** Receives what the names refer to. */
  readonly recordUse?: RecordUse;
  /** Receives the places of expressions. */
  readonly spans?: Spans;
}
/** Rights come before names: for a query, a relation that may not be read does not exist, and no message names it or a column of it. */
export interface RelationAccess {
  /** By its name in the registry: `Bike$Agg`, `Fleet`, `meta_commands`. */
  readonly mayRead: (relation: string) => boolean;
  /** Receives each existing relation that was named and may not be read. */
  readonly onDenied: (relation: string) => void;
}
/** docs/http.md#limits, "query shape". */
export interface ShapeLimits {
  readonly depth: number;
  readonly joins: number;
  readonly commonTables: number;
  readonly setOperations: number;
  readonly listItems: number;
  readonly recursive: boolean;
}

export type Bound<T> =
  | { readonly value: T; readonly diagnostics: readonly Diagnostic[] }
  | { readonly value?: undefined; readonly diagnostics: readonly Diagnostic[] };

/** EXECUTE with its parts typed; the values' own types decide how they are sent to the command's decoder. */
export interface BoundExecute {
  readonly command: string;
  readonly decision: string;
  readonly arguments: readonly { readonly field: string; readonly value: TypedExpression }[];
  readonly options: readonly {
    readonly name: 'command_id' | 'expected_seq' | 'correlation_id' | 'causation_id';
    readonly value: TypedExpression;
  }[];
}
export interface BoundInspectDecision {
  readonly decision: string;
  /** Reads the source: one column for each command field it supplies. With `each: 'chosen'`: the entries of the chosen commands. */
  readonly source: BoundQuery;
  /** For each column of `source`, its command field. */
  readonly fields: readonly string[];
  readonly target: string;
  /** AS OF EACH: the recorded commands of the decision, from the log. */
  readonly each?: 'all' | 'chosen';
}
export interface BoundInspectReaction {
  readonly reaction: string;
  /** Reads the source: `eventFactColumns` and `data`. AS OF EACH: the positions of the chosen events. */
  readonly source: BoundQuery;
  /** Reads all events of the source, if some can cancel a branch (UNLESS); without `data`. */
  readonly cancels?: BoundQuery;
  readonly target: string;
  /** AS OF EACH: the events of an aggregate in the log, each with the state just after it. */
  readonly each?: { readonly aggregate: string; readonly events: 'all' | 'chosen' };
}
export interface BoundInspectProjection {
  readonly projection: string;
  /** The projection's query with the source in place of its event relation. */
  readonly query: BoundQuery;
  readonly target: string;
  /** Set for `INTO Reg."P"` of the projection itself. */
  readonly rebuild: boolean;
}
