import type { StoredShape } from '../contract/event.ts';
import type { Column } from '../contract/query.ts';
import type { Type } from '../values/type.ts';
import type { CallerPart } from '../contract/caller.ts';
import type { BlockKind } from '../contract/block-kind.ts';
import type { Docs } from '../contract/docs.ts';
import type { FieldLimit } from '../contract/command.ts';
import type { SubscriptionOptions, SubscriptionStart, WebhookTarget } from '../contract/subscription.ts';
import type { TemplateStamp } from './template-stamp.ts';
import type { LiteralShape, TypedExpression } from './expression.ts';
import type { BoundQuery } from './query.ts';

/** Facts that every registered block has. */
export interface BlockFacts {
  readonly name: string;
  /** The definition in canonical print, `CREATE KIND Name …;`, without OR REPLACE. Two definitions are equal when their texts are. */
  readonly text: string;
  readonly stamp?: TemplateStamp;
  /** Absent without a doc comment. Not a part of the definition. */
  readonly docs?: BlockDocs;
  /** Blocks named by this one, `kind:name`, sorted; DROP and recompilation follow them. */
  readonly references: readonly string[];
}

export interface BlockDocs extends Docs {
  /** The definition in canonical print, with all of them. */
  readonly text: string;
}

export interface AggregateBlock extends BlockFacts, RowClauses {
  readonly kind: 'aggregate';
  /** As declared; empty for a bare CREATE AGGREGATE. */
  readonly fields: readonly {
    readonly name: string;
    readonly type: Type;
    readonly key: boolean;
    readonly default?: LiteralShape['value'];
  }[];
  /** Events that can be appended to a stream of the aggregate, sorted by name: emitted by decisions, or found in the stored history. */
  readonly events: readonly string[];
  /** Payload columns of `$Events`: the union over those events, ordered by event name and ordinal. */
  readonly payload: readonly Column[];
  /** All columns of `$Events`, hidden ones included and payload excluded (`data` is one of them). */
  readonly eventColumns: readonly Column[];
  /** Defines `$Agg`: over this aggregate's `$Events`, grouped by stream. */
  readonly state: BoundQuery;
  /** The values of a stream without events: DEFAULTs, the KEY field excluded (it is the id asked for). By state column. */
  readonly initial: readonly { readonly column: string; readonly value: LiteralShape['value'] }[];
  readonly keyField?: string;
}
export interface CommandBlock extends BlockFacts {
  readonly kind: 'command';
  readonly fields: readonly {
    readonly name: string;
    readonly type: Type;
    readonly key: boolean;
    readonly sensitive: boolean;
    readonly required: boolean;
    readonly nullable: boolean;
    readonly default?: LiteralShape['value'];
    /** `DEFAULT CURRENT_USER` or `DEFAULT CLAIM(name)`. */
    readonly callerDefault?: CallerPart;
  }[];
  /** The field that is the stream id: the KEY field, else the first. */
  readonly streamField: string;
  /** Absent without a CHECK. CHECKs of fields come first, in order. */
  readonly checks?: readonly CommandCheck[];
  readonly allow?: CallerCondition & { readonly message?: string };
}
/** A condition over the caller and a command's arguments (ALLOW) or a relation's columns, which are those of relation 0 (VISIBLE, CLEAR). */
export interface CallerCondition {
  /** In canonical print. */
  readonly text: string;
  readonly condition: TypedExpression;
}
/** The clauses of an aggregate or a projection about the rows and values that a caller sees (docs/callers.md#visible). */
export interface RowClauses {
  /** Rows that are shown; all are with `TO ALL`. */
  readonly visible?: CallerCondition | 'all';
  /** Rows whose SENSITIVE values are shown in the clear. */
  readonly clear?: CallerCondition;
  /**
   * Blocks that the clauses name, and those behind the relations that they read, `kind:name`, sorted. Clauses read definitions only, so
   * relations may name each other in a circle.
   */
  readonly clauseReferences?: readonly string[];
}

/** All blocks that a block names, those of its clauses included. */
export function namedBy(block: Block): readonly string[] {
  const named = 'clauseReferences' in block ? (block.clauseReferences ?? []) : [];
  return named.length === 0 ? block.references : [...block.references, ...named];
}
/** `CHECK (condition)`: refused if the condition is FALSE. Reads fields of the command as arguments. */
export interface CommandCheck {
  /** The condition in canonical print. */
  readonly text: string;
  /** Its MESSAGE, which the caller reads in place of the condition. */
  readonly message?: string;
  /** The field that it is written at. */
  readonly field?: string;
  readonly condition: TypedExpression;
  /** The part of it that JSON Schema can express. */
  readonly limits: readonly FieldLimit[];
}
export interface EventBlock extends BlockFacts {
  readonly kind: 'event';
  readonly fields: readonly {
    readonly name: string;
    readonly type: Type;
    readonly sensitive: boolean;
    readonly volatile: boolean;
    readonly tag: boolean;
  }[];
  /** Counts accepted changes, from 1. */
  readonly version: number;
  /** Clauses that read events stored in other shapes, in the order written; absent without any. */
  readonly upcasts?: readonly EventUpcast[];
}
/** An UPCAST clause (docs/language.md#evolution). */
export interface EventUpcast extends StoredShape {
  /** A value for each field of the event, in its order, already cast to its type; columns of relation 0 are the old fields. */
  readonly values: readonly { readonly name: string; readonly value: TypedExpression }[];
  /** Whether events of the shape are stored; absent if nothing is known of a store. */
  readonly needed?: boolean;
}
export interface DecisionBlock extends BlockFacts {
  readonly kind: 'decision';
  readonly aggregate: string;
  readonly command: string;
  readonly state?: BoundQuery;
  /** The STATE query alone in canonical print. Set whenever `state` is. */
  readonly stateText?: string;
  /** Set when `state` is a plain lookup, which reads the aggregate's DEFAULTs from an empty stream (docs/language.md#decision). */
  readonly stateDefaults?: { readonly aggregate: string; readonly key: TypedExpression };
  readonly branches: readonly DecisionBranch[];
}
export interface DecisionBranch {
  /** `b_` and 16 hex digits (docs/language.md#decision). */
  readonly id: string;
  readonly label?: string;
  /** Guard in canonical print, for rejections and meta relations. */
  readonly guardText?: string;
  readonly guard?: TypedExpression;
  readonly emits: readonly DecisionEmit[];
}
export interface DecisionEmit {
  readonly event: string;
  /** The aggregate of the stream that the event is appended to. */
  readonly aggregate: string;
  /** Without it, the command's own stream. */
  readonly stream?: TypedExpression;
  /** A value for each field of the event, in its order; NULL literals for the unassigned. Already cast (`assign`) to the field's type. */
  readonly fields: readonly { readonly name: string; readonly value: TypedExpression }[];
}
export interface ProjectionBlock extends BlockFacts, RowClauses {
  readonly kind: 'projection';
  readonly query: BoundQuery;
  /** The query alone in canonical print. */
  readonly queryText: string;
  /** Aggregates read, directly or through other relations, sorted. */
  readonly aggregates: readonly string[];
  /** Number of relations that the query names once everything it reads is written out in place. */
  readonly expansion: number;
}
export interface EventStoreBlock extends BlockFacts {
  readonly kind: 'eventstore';
  readonly options: readonly { readonly key: string; readonly value: StoreSetting }[];
}
export type StoreSetting = string | number | boolean | readonly string[] | { readonly env: string };
export interface TemplateBlock extends BlockFacts {
  readonly kind: 'template';
  readonly parameters: readonly { readonly name: string; readonly type?: string }[];
  readonly instances: readonly { readonly name: string; readonly parameters: string }[];
}
export interface EnumBlock extends BlockFacts {
  readonly kind: 'enum';
  /** In the order written. */
  readonly values: readonly string[];
}
export interface ClaimBlock extends BlockFacts {
  readonly kind: 'claim';
  readonly type: Type;
  readonly sensitive: boolean;
  /** Names of members: the first of the token, each other one of the object before it. */
  readonly path: readonly string[];
}
export interface FunctionBlock extends BlockFacts {
  readonly kind: 'function';
  readonly parameters: readonly { readonly name: string; readonly type: Type }[];
  readonly returns: Type;
  /** Over the parameters; already cast (`assign`) to `returns`. */
  readonly body: TypedExpression;
  /** The body in canonical print. */
  readonly bodyText: string;
  /** Parameters whose mark SENSITIVE the result has too. */
  readonly marking: readonly string[];
  /** Nodes of the body with the bodies of the functions that it calls in place of the calls. */
  readonly expansion: number;
}
export interface SubscriptionBlock extends BlockFacts {
  readonly kind: 'subscription';
  readonly start: SubscriptionStart;
  /** The rows of a range of events with their facts (`SubscriptionDefinition.query`). */
  readonly query: BoundQuery;
  /** Columns of its rows. */
  readonly columns: readonly Column[];
  /** The query as written, in canonical print. */
  readonly queryText: string;
  /** KEY in canonical print. */
  readonly keyText?: string;
  /** Aggregates whose events it reads, sorted. */
  readonly aggregates: readonly string[];
  readonly delivery?: WebhookTarget;
  readonly options: SubscriptionOptions;
}

export interface ReactionBlock extends BlockFacts {
  readonly kind: 'reaction';
  readonly start: SubscriptionStart;
  /** As written, each once. */
  readonly events: readonly string[];
  /** Only events in streams of this aggregate. */
  readonly aggregate?: string;
  /** Names for `:name`: the fields that all events have, then the facts of the event. */
  readonly inputs: readonly Column[];
  readonly state?: BoundQuery;
  /** The STATE query alone in canonical print. Set whenever `state` is. */
  readonly stateText?: string;
  readonly stateDefaults?: DecisionBlock['stateDefaults'];
  readonly branches: readonly ReactionBranch[];
}
export interface ReactionBranch {
  /** As written, else its number, from 1. */
  readonly label: string;
  readonly command: string;
  /** Set if it waits: when the command is due, a TIMESTAMP over the inputs. NULL: never. */
  readonly due?: TypedExpression;
  /** AFTER or AT in canonical print. Set whenever `due` is. */
  readonly dueText?: string;
  /** Events of the same stream that cancel it while it waits. */
  readonly unless: readonly string[];
  readonly guardText?: string;
  readonly guard?: TypedExpression;
  /** A value for each field that is assigned, already cast (`assign`) to the field's type. */
  readonly fields: readonly { readonly name: string; readonly type: Type; readonly value: TypedExpression }[];
}

export type Block =
  | AggregateBlock
  | CommandBlock
  | EventBlock
  | DecisionBlock
  | ProjectionBlock
  | EventStoreBlock
  | TemplateBlock
  | EnumBlock
  | ClaimBlock
  | FunctionBlock
  | SubscriptionBlock
  | ReactionBlock;

export type BlockOf<K extends BlockKind> = Extract<Block, { readonly kind: K }>;
