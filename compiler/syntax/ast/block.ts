import type { TemplateStamp } from '../../../language/catalog/template-stamp.ts';
import type { SourceFile } from '../../../language/source/source-file.ts';
import type { dueUnits } from '../tokens/keywords.ts';
import type { Expression, StringLiteral } from './expression.ts';
import type { Name, NodeBase, TypeName } from './node.ts';
import type { Query } from './query.ts';

/** The statements that create registered blocks (docs/language.md#blocks). */
export type BlockStatement =
  | CreateAggregate
  | CreateCommand
  | CreateEvent
  | CreateDecision
  | CreateProjection
  | CreateEventStore
  | CreateTemplate
  | CreateEnum
  | CreateClaim
  | CreateFunction
  | CreateSubscription
  | CreateReaction;

interface BlockBase<K extends string> extends NodeBase<K> {
  readonly orReplace: boolean;
  readonly name: Name;
  /** The doc comment above it. */
  readonly doc?: string;
  /** The template instance that created this block, if one did. */
  readonly stamp?: TemplateStamp;
}

export interface CreateAggregate extends BlockBase<'CreateAggregate'>, RowClauseNodes {
  readonly fields: readonly AggregateField[];
}
/** The clauses about the rows and values that a caller sees. */
export interface RowClauseNodes {
  readonly visible?: Visible;
  /** The condition of CLEAR. */
  readonly clear?: Expression;
}
/** `VISIBLE WHERE condition`; without a condition `VISIBLE TO ALL`. */
export interface Visible extends NodeBase<'Visible'> {
  readonly condition?: Expression;
}
export interface AggregateField extends NodeBase<'AggregateField'> {
  readonly name: Name;
  readonly doc?: string;
  readonly type: TypeName;
  readonly key: boolean;
  readonly default?: Expression;
  /** The expression after AS. */
  readonly fold?: Expression;
}
export interface CreateCommand extends BlockBase<'CreateCommand'> {
  readonly fields: readonly CommandField[];
  /** Conditions that are items of their own, not behind a field. */
  readonly checks: readonly Check[];
  readonly allow?: Allow;
}
/** `ALLOW WHERE condition MESSAGE 'text'`. */
export interface Allow extends NodeBase<'Allow'> {
  readonly condition: Expression;
  /** Text that a refused caller reads. */
  readonly message?: StringLiteral;
}
export interface CommandField extends NodeBase<'CommandField'> {
  readonly name: Name;
  readonly doc?: string;
  readonly type: TypeName;
  readonly key: boolean;
  readonly sensitive: boolean;
  readonly nullable: boolean;
  /** A literal, `CURRENT_USER` or `CLAIM(name)`. */
  readonly default?: Expression;
  readonly checks: readonly Check[];
}
/** `CHECK ( expression ) MESSAGE 'text'`, of a field or of the command. */
export interface Check extends NodeBase<'Check'> {
  readonly condition: Expression;
  /** Text that the caller reads in place of the condition. */
  readonly message?: StringLiteral;
}
export interface CreateEvent extends BlockBase<'CreateEvent'> {
  readonly fields: readonly EventField[];
  readonly upcasts: readonly Upcast[];
}
/** The way in which an event that was stored with other fields, or under another name, is read now. */
export interface Upcast extends NodeBase<'Upcast'> {
  /** In FROM EVENT: the name under which the events were stored. */
  readonly event?: Name;
  readonly fields: readonly OldField[];
  readonly assignments: readonly Assignment[];
}
/** A field of a stored definition. */
export interface OldField extends NodeBase<'OldField'> {
  readonly name: Name;
  readonly type: TypeName;
}
export interface EventField extends NodeBase<'EventField'> {
  readonly name: Name;
  readonly doc?: string;
  readonly type: TypeName;
  readonly sensitive: boolean;
  readonly volatile: boolean;
  readonly tag: boolean;
}
export interface CreateDecision extends BlockBase<'CreateDecision'> {
  readonly aggregate: Name;
  readonly command: Name;
  readonly state?: Query;
  readonly branches: readonly Branch[];
}
export interface Branch extends NodeBase<'Branch'> {
  readonly label?: Name;
  readonly emits: readonly Emit[];
  readonly guard?: Expression;
}
export interface Emit extends NodeBase<'Emit'> {
  readonly event: Name;
  readonly assignments: readonly Assignment[];
  readonly to?: EmitTarget;
}
export interface EmitTarget extends NodeBase<'EmitTarget'> {
  readonly aggregate: Name;
  readonly stream: Expression;
}
/** `field := expr`, in an emit, an upcast or an EXECUTE. */
export interface Assignment extends NodeBase<'Assignment'> {
  readonly field: Name;
  readonly value: Expression;
}
export interface CreateProjection extends BlockBase<'CreateProjection'>, RowClauseNodes {
  readonly query: Query;
}
export interface CreateEventStore extends BlockBase<'CreateEventStore'> {
  readonly options: readonly StoreOption[];
}
/** `durable.type = 'memory'`; `key` is the dotted text, `key.span` its place. */
export interface StoreOption extends NodeBase<'StoreOption'> {
  readonly key: Name;
  readonly value: StoreValue;
}
export type StoreValue =
  | { readonly type: 'string' | 'number'; readonly text: string }
  | { readonly type: 'boolean'; readonly value: boolean }
  | { readonly type: 'tuple'; readonly items: readonly string[] }
  | { readonly type: 'env'; readonly variable: string };

export interface CreateTemplate extends BlockBase<'CreateTemplate'> {
  readonly form: 'parentheses' | 'with';
  readonly parameters: readonly TemplateParameter[];
  readonly body: TemplateBody;
}
export interface TemplateParameter extends NodeBase<'TemplateParameter'> {
  readonly name: Name;
  readonly type?: TypeName;
}
export interface CreateEnum extends BlockBase<'CreateEnum'> {
  readonly values: readonly StringLiteral[];
}
/** A claim of a caller's token, under a name of its own. */
export interface CreateClaim extends BlockBase<'CreateClaim'> {
  readonly type: TypeName;
  readonly sensitive: boolean;
  /** Empty without FROM. */
  readonly path: readonly StringLiteral[];
}
export interface CreateFunction extends BlockBase<'CreateFunction'> {
  readonly parameters: readonly FunctionParameter[];
  readonly returns: TypeName;
  readonly body: Expression;
}
export interface FunctionParameter extends NodeBase<'FunctionParameter'> {
  readonly name: Name;
  readonly type: TypeName;
}

export interface CreateSubscription extends BlockBase<'CreateSubscription'> {
  readonly from?: StartPoint;
  readonly query: Query;
  readonly key?: Expression;
  readonly delivery?: Delivery;
  readonly options: readonly StoreOption[];
}
/** `FROM START`, `FROM NOW`, `FROM POSITION 12`, `FROM TIMESTAMP '…'`: the first event that a block looks at. */
export interface StartPoint extends NodeBase<'StartPoint'> {
  readonly at: 'start' | 'now' | 'position' | 'timestamp';
  /** The number or the string, as written; empty for the others. */
  readonly text: string;
}
/** `DELIVER TO WEBHOOK url SECRET …`. */
export interface Delivery extends NodeBase<'Delivery'> {
  readonly url: StoreValue;
  readonly secrets: readonly StoreValue[];
}
export interface CreateReaction extends BlockBase<'CreateReaction'> {
  /** Without it the reaction begins with the events after its creation. */
  readonly from?: StartPoint;
  readonly events: readonly Name[];
  /** In OF: the aggregate whose streams have the events. */
  readonly aggregate?: Name;
  readonly state?: Query;
  readonly executions: readonly Execution[];
}
/** A branch of a reaction: a command, and when it is executed. */
export interface Execution extends NodeBase<'Execution'> {
  readonly label?: Name;
  readonly command: Name;
  readonly assignments: readonly Assignment[];
  readonly due?: Due;
  /** Events of the same stream that cancel it while it waits. */
  readonly unless: readonly Name[];
  readonly guard?: Expression;
}
/** `AFTER 2 DAYS`, `AFTER interval` or `AT moment`. */
export interface Due extends NodeBase<'Due'> {
  readonly form: 'AFTER' | 'AT';
  readonly value: Expression;
  readonly unit?: DueUnit;
}
export type DueUnit = (typeof dueUnits)[number];

/** The statements of a body as written: a range of a source text, between (not including) its parentheses or AS … END TEMPLATE. */
export interface TemplateBody {
  readonly file: SourceFile;
  readonly start: number;
  readonly end: number;
}
