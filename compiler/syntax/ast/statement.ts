import type { BlockKind } from '../../../language/contract/block-kind.ts';
import type { AsOf } from './as-of.ts';
import type { Assignment, BlockStatement, CommandField, DueUnit } from './block.ts';
import type { Expression, NullLiteral, StringLiteral } from './expression.ts';
import type { Name, NodeBase } from './node.ts';
import type { Query, Values } from './query.ts';

/** Every statement of the language (docs/language.md#the-language). */
export type Statement =
  | BlockStatement
  | ApplyTemplate
  | DropBlock
  | Execute
  | QueryStatement
  | CreateTable
  | DropTable
  | InspectDecision
  | InspectProjection
  | InspectReaction
  | Describe
  | DescribeAll
  | Validate
  | Explain
  | Export
  | Advance
  | SetCaller;

export type DescribedKind = BlockKind | 'inspection';

export interface ApplyTemplate extends NodeBase<'ApplyTemplate'> {
  readonly template: Name;
  readonly arguments: readonly TemplateArgument[];
}
export interface TemplateArgument extends NodeBase<'TemplateArgument'> {
  readonly name: Name;
  readonly value: TemplateValue;
}
/** A literal, or a list of field declarations (written with the modifiers of a command's fields). */
export type TemplateValue =
  | { readonly type: 'string' | 'number'; readonly text: string }
  | { readonly type: 'boolean'; readonly value: boolean }
  | { readonly type: 'null' }
  | { readonly type: 'fields'; readonly fields: readonly CommandField[] };

export interface DropBlock extends NodeBase<'DropBlock'> {
  readonly block: BlockKind;
  readonly name: Name;
}
/** `EXECUTE Command( … ) [WITH ( … )]`. */
export interface Execute extends NodeBase<'Execute'> {
  readonly command: Name;
  readonly arguments: readonly Assignment[];
  readonly options: readonly ExecuteOption[];
}
export interface ExecuteOption extends NodeBase<'ExecuteOption'> {
  readonly name: Name;
  readonly value: Expression;
}
export interface QueryStatement extends NodeBase<'QueryStatement'> {
  readonly query: Query;
  readonly asOf?: AsOf;
}
export interface CreateTable extends NodeBase<'CreateTable'> {
  readonly name: Name;
  readonly columns?: readonly Name[];
  readonly source: Values | Query;
  readonly asOf?: AsOf;
}
export interface DropTable extends NodeBase<'DropTable'> {
  readonly name: Name;
}
/** A relation named in INSPECT: `wanted`, `Reg."Loan$Events"`. */
export interface RelationName extends NodeBase<'RelationName'> {
  readonly schema?: Name;
  readonly name: Name;
}
/** `WITH SCHEMA 'text'`, `WITH SCHEMA FILE 'path'`: definitions in place of the registered ones of their names. */
export interface CandidateSchema extends NodeBase<'CandidateSchema'> {
  readonly from: 'text' | 'file';
  /** The text, or the path. */
  readonly value: string;
}
export interface InspectDecision extends NodeBase<'InspectDecision'> {
  readonly decision: Name;
  readonly source: RelationName;
  readonly target: RelationName;
  readonly where?: Expression;
  readonly limit?: Expression;
  readonly asOf?: AsOf;
  readonly store?: Name;
  readonly schema?: CandidateSchema;
}
export interface InspectProjection extends NodeBase<'InspectProjection'> {
  readonly projection: Name;
  readonly source: RelationName;
  readonly target: RelationName;
  readonly offset?: Expression;
  readonly where?: Expression;
  readonly limit?: Expression;
  readonly asOf?: AsOf;
  readonly store?: Name;
  readonly schema?: CandidateSchema;
}
export interface InspectReaction extends NodeBase<'InspectReaction'> {
  readonly reaction: Name;
  readonly source: RelationName;
  readonly target: RelationName;
  readonly where?: Expression;
  readonly limit?: Expression;
  readonly asOf?: AsOf;
  readonly store?: Name;
  readonly schema?: CandidateSchema;
}
export type Inspect = InspectDecision | InspectProjection | InspectReaction;

/** Without a kind: the block, or else the inspection, of that name. */
export interface Describe extends NodeBase<'Describe'> {
  readonly what?: DescribedKind;
  readonly name: Name;
}
export interface DescribeAll extends NodeBase<'DescribeAll'> {
  readonly what: DescribedKind;
}
export type Validate = NodeBase<'Validate'>;
export interface Export extends NodeBase<'Export'> {
  readonly asOf?: AsOf;
}
/** `ADVANCE CLOCK 2 DAYS`, `ADVANCE CLOCK TO TIMESTAMP '…'`. */
export interface Advance extends NodeBase<'Advance'> {
  readonly by?: { readonly amount: string; readonly unit: DueUnit };
  readonly to?: StringLiteral;
}
/** `SET CALLER 'ada' ROLES ('nurse') CLAIMS (clinic := 'north')`; without a caller `RESET CALLER`. */
export interface SetCaller extends NodeBase<'SetCaller'> {
  readonly caller?: WrittenCaller;
}
export interface WrittenCaller extends NodeBase<'WrittenCaller'> {
  /** NULL: it is anonymous. */
  readonly subject: StringLiteral | NullLiteral;
  readonly roles: readonly StringLiteral[];
  readonly claims: readonly WrittenClaim[];
}
/** `clinic := 'north'`, `teams := ('a', 'b')`. */
export interface WrittenClaim extends NodeBase<'WrittenClaim'> {
  readonly name: Name;
  /** A single value, unless it is a list. */
  readonly values: readonly Expression[];
  readonly isList: boolean;
}
export interface Explain extends NodeBase<'Explain'> {
  readonly target:
    | { readonly type: 'query'; readonly query: Query; readonly asOf?: AsOf }
    | { readonly type: 'decision' | 'projection' | 'reaction'; readonly name: Name }
    /** `EXPLAIN ACCESS FOR CALLER 'ada'`; without a caller the one of the session. */
    | { readonly type: 'access'; readonly caller?: WrittenCaller };
}
