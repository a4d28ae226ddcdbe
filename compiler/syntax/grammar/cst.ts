/** What the tree of each rule holds. Made from the grammar by `UPDATE=1 node … test/syntax/grammar.test.ts`; do not edit. */
import type { Token } from '../tokens/token.ts';

type Tokens = readonly Token[];
/** The tree of one rule: the tokens and trees it read, by name; `endOffset` is that of the last unit. */
export interface Cst<N extends string> {
  readonly name: N;
  readonly location: { readonly startOffset: number; readonly endOffset: number };
}

export interface NameCst extends Cst<'name'> {
  readonly children: {
    readonly Name: Tokens;
  };
}
export interface FieldNameCst extends Cst<'fieldName'> {
  readonly children: {
    readonly Word: Tokens;
  };
}
export interface NameListCst extends Cst<'nameList'> {
  readonly children: {
    readonly LParen: Tokens;
    readonly name: readonly NameCst[];
    readonly Comma?: Tokens;
    readonly RParen: Tokens;
  };
}
export interface TypeNameCst extends Cst<'typeName'> {
  readonly children: {
    readonly Name: Tokens;
    readonly LParen?: Tokens;
    readonly Number?: Tokens;
    readonly Placeholder?: Tokens;
    readonly Comma?: Tokens;
    readonly RParen?: Tokens;
  };
}
export interface LiteralCst extends Cst<'literal'> {
  readonly children: {
    readonly Minus?: Tokens;
    readonly Plus?: Tokens;
    readonly Number?: Tokens;
    readonly String?: Tokens;
    readonly TRUE?: Tokens;
    readonly FALSE?: Tokens;
    readonly NULL?: Tokens;
    readonly typedLiteral?: readonly TypedLiteralCst[];
    readonly Placeholder?: Tokens;
  };
}
export interface TypedLiteralCst extends Cst<'typedLiteral'> {
  readonly children: {
    readonly DATE?: Tokens;
    readonly TIMESTAMP?: Tokens;
    readonly INTERVAL?: Tokens;
    readonly String: Tokens;
  };
}
export interface ExpressionCst extends Cst<'expression'> {
  readonly children: {
    readonly operand: readonly OperandCst[];
    readonly operation?: readonly OperationCst[];
  };
}
export interface BoundCst extends Cst<'bound'> {
  readonly children: {
    readonly operand: readonly OperandCst[];
    readonly boundOperation?: readonly BoundOperationCst[];
  };
}
export interface BoundOperationCst extends Cst<'boundOperation'> {
  readonly children: {
    readonly Arithmetic?: Tokens;
    readonly operand?: readonly OperandCst[];
    readonly DoubleColon?: Tokens;
    readonly typeName?: readonly TypeNameCst[];
    readonly atTimeZone?: readonly AtTimeZoneCst[];
  };
}
export interface AtTimeZoneCst extends Cst<'atTimeZone'> {
  readonly children: {
    readonly AT: Tokens;
    readonly TIME: Tokens;
    readonly ZONE: Tokens;
    readonly operand: readonly OperandCst[];
  };
}
export interface OperationCst extends Cst<'operation'> {
  readonly children: {
    readonly Logical?: Tokens;
    readonly operand?: readonly OperandCst[];
    readonly Arithmetic?: Tokens;
    readonly DoubleColon?: Tokens;
    readonly typeName?: readonly TypeNameCst[];
    readonly Comparison?: Tokens;
    readonly any?: readonly AnyCst[];
    readonly atTimeZone?: readonly AtTimeZoneCst[];
    readonly isTest?: readonly IsTestCst[];
    readonly NOT?: Tokens;
    readonly inList?: readonly InListCst[];
    readonly between?: readonly BetweenCst[];
    readonly like?: readonly LikeCst[];
  };
}
export interface AnyCst extends Cst<'any'> {
  readonly children: {
    readonly ANY?: Tokens;
    readonly subquery?: readonly SubqueryCst[];
    readonly LParen?: Tokens;
    readonly expression?: readonly ExpressionCst[];
    readonly RParen?: Tokens;
    readonly ALL?: Tokens;
  };
}
export interface IsTestCst extends Cst<'isTest'> {
  readonly children: {
    readonly IS: Tokens;
    readonly NOT?: Tokens;
    readonly NULL?: Tokens;
    readonly TRUE?: Tokens;
    readonly FALSE?: Tokens;
    readonly UNKNOWN?: Tokens;
    readonly DISTINCT?: Tokens;
    readonly FROM?: Tokens;
    readonly operand?: readonly OperandCst[];
  };
}
export interface InListCst extends Cst<'inList'> {
  readonly children: {
    readonly IN: Tokens;
    readonly subquery?: readonly SubqueryCst[];
    readonly LParen?: Tokens;
    readonly expression?: readonly ExpressionCst[];
    readonly Comma?: Tokens;
    readonly RParen?: Tokens;
  };
}
export interface BetweenCst extends Cst<'between'> {
  readonly children: {
    readonly BETWEEN: Tokens;
    readonly SYMMETRIC?: Tokens;
    readonly bound: readonly BoundCst[];
    readonly AND: Tokens;
  };
}
export interface LikeCst extends Cst<'like'> {
  readonly children: {
    readonly LIKE?: Tokens;
    readonly ILIKE?: Tokens;
    readonly bound: readonly BoundCst[];
    readonly ESCAPE?: Tokens;
  };
}
export interface OperandCst extends Cst<'operand'> {
  readonly children: {
    readonly NOT?: Tokens;
    readonly Minus?: Tokens;
    readonly Plus?: Tokens;
    readonly Number?: Tokens;
    readonly String?: Tokens;
    readonly Bind?: Tokens;
    readonly TRUE?: Tokens;
    readonly FALSE?: Tokens;
    readonly NULL?: Tokens;
    readonly typedLiteral?: readonly TypedLiteralCst[];
    readonly subquery?: readonly SubqueryCst[];
    readonly LParen?: Tokens;
    readonly expression?: readonly ExpressionCst[];
    readonly RParen?: Tokens;
    readonly case?: readonly CaseCst[];
    readonly cast?: readonly CastCst[];
    readonly exists?: readonly ExistsCst[];
    readonly extract?: readonly ExtractCst[];
    readonly position?: readonly PositionCst[];
    readonly substring?: readonly SubstringCst[];
    readonly trim?: readonly TrimCst[];
    readonly Placeholder?: Tokens;
    readonly named?: readonly NamedCst[];
  };
}
export interface SubqueryCst extends Cst<'subquery'> {
  readonly children: {
    readonly QueryParen: Tokens;
    readonly query: readonly QueryCst[];
    readonly RParen: Tokens;
  };
}
export interface CaseCst extends Cst<'case'> {
  readonly children: {
    readonly CASE: Tokens;
    readonly expression?: readonly ExpressionCst[];
    readonly caseBranch: readonly CaseBranchCst[];
    readonly ELSE?: Tokens;
    readonly otherwise?: readonly ExpressionCst[];
    readonly END: Tokens;
  };
}
export interface CaseBranchCst extends Cst<'caseBranch'> {
  readonly children: {
    readonly WHEN: Tokens;
    readonly when: readonly ExpressionCst[];
    readonly THEN: Tokens;
    readonly then: readonly ExpressionCst[];
  };
}
export interface CastCst extends Cst<'cast'> {
  readonly children: {
    readonly CAST: Tokens;
    readonly LParen: Tokens;
    readonly expression: readonly ExpressionCst[];
    readonly AS: Tokens;
    readonly typeName: readonly TypeNameCst[];
    readonly RParen: Tokens;
  };
}
export interface ExistsCst extends Cst<'exists'> {
  readonly children: {
    readonly EXISTS: Tokens;
    readonly subquery: readonly SubqueryCst[];
  };
}
export interface ExtractCst extends Cst<'extract'> {
  readonly children: {
    readonly EXTRACT: Tokens;
    readonly LParen: Tokens;
    readonly name: readonly NameCst[];
    readonly FROM: Tokens;
    readonly expression: readonly ExpressionCst[];
    readonly RParen: Tokens;
  };
}
export interface PositionCst extends Cst<'position'> {
  readonly children: {
    readonly POSITION: Tokens;
    readonly LParen: Tokens;
    readonly bound: readonly BoundCst[];
    readonly IN?: Tokens;
    readonly expression?: readonly ExpressionCst[];
    readonly Comma?: Tokens;
    readonly RParen: Tokens;
  };
}
export interface SubstringCst extends Cst<'substring'> {
  readonly children: {
    readonly SUBSTRING: Tokens;
    readonly LParen: Tokens;
    readonly expression: readonly ExpressionCst[];
    readonly FROM?: Tokens;
    readonly from?: readonly ExpressionCst[];
    readonly FOR?: Tokens;
    readonly for?: readonly ExpressionCst[];
    readonly Comma?: Tokens;
    readonly RParen: Tokens;
  };
}
export interface TrimCst extends Cst<'trim'> {
  readonly children: {
    readonly TRIM: Tokens;
    readonly LParen: Tokens;
    readonly LEADING?: Tokens;
    readonly TRAILING?: Tokens;
    readonly BOTH?: Tokens;
    readonly expression?: readonly ExpressionCst[];
    readonly FROM?: Tokens;
    readonly from?: readonly ExpressionCst[];
    readonly Comma?: Tokens;
    readonly RParen: Tokens;
  };
}
export interface NamedCst extends Cst<'named'> {
  readonly children: {
    readonly Name: Tokens;
    readonly arguments?: readonly ArgumentsCst[];
    readonly filter?: readonly FilterCst[];
    readonly over?: readonly OverCst[];
    readonly Dot?: Tokens;
    readonly Word?: Tokens;
  };
}
export interface ArgumentsCst extends Cst<'arguments'> {
  readonly children: {
    readonly LParen: Tokens;
    readonly Star?: Tokens;
    readonly DISTINCT?: Tokens;
    readonly expression?: readonly ExpressionCst[];
    readonly Comma?: Tokens;
    readonly orderBy?: readonly OrderByCst[];
    readonly RParen: Tokens;
  };
}
export interface FilterCst extends Cst<'filter'> {
  readonly children: {
    readonly FILTER: Tokens;
    readonly LParen: Tokens;
    readonly WHERE: Tokens;
    readonly expression: readonly ExpressionCst[];
    readonly RParen: Tokens;
  };
}
export interface OverCst extends Cst<'over'> {
  readonly children: {
    readonly OVER: Tokens;
    readonly name?: readonly NameCst[];
    readonly windowSpecification?: readonly WindowSpecificationCst[];
  };
}
export interface WindowSpecificationCst extends Cst<'windowSpecification'> {
  readonly children: {
    readonly LParen: Tokens;
    readonly name?: readonly NameCst[];
    readonly PARTITION?: Tokens;
    readonly BY?: Tokens;
    readonly expression?: readonly ExpressionCst[];
    readonly Comma?: Tokens;
    readonly orderBy?: readonly OrderByCst[];
    readonly frame?: readonly FrameCst[];
    readonly RParen: Tokens;
  };
}
export interface FrameCst extends Cst<'frame'> {
  readonly children: {
    readonly ROWS?: Tokens;
    readonly RANGE?: Tokens;
    readonly GROUPS?: Tokens;
    readonly BETWEEN?: Tokens;
    readonly frameBound?: readonly FrameBoundCst[];
    readonly AND?: Tokens;
    readonly exclusion?: readonly ExclusionCst[];
  };
}
export interface ExclusionCst extends Cst<'exclusion'> {
  readonly children: {
    readonly EXCLUDE: Tokens;
    readonly CURRENT?: Tokens;
    readonly ROW?: Tokens;
    readonly GROUP?: Tokens;
    readonly TIES?: Tokens;
    readonly NO?: Tokens;
    readonly OTHERS?: Tokens;
  };
}
export interface FrameBoundCst extends Cst<'frameBound'> {
  readonly children: {
    readonly CURRENT?: Tokens;
    readonly ROW?: Tokens;
    readonly UNBOUNDED?: Tokens;
    readonly bound?: readonly BoundCst[];
    readonly PRECEDING?: Tokens;
    readonly FOLLOWING?: Tokens;
  };
}
export interface OrderByCst extends Cst<'orderBy'> {
  readonly children: {
    readonly ORDER: Tokens;
    readonly BY: Tokens;
    readonly orderItem: readonly OrderItemCst[];
    readonly Comma?: Tokens;
  };
}
export interface OrderItemCst extends Cst<'orderItem'> {
  readonly children: {
    readonly expression: readonly ExpressionCst[];
    readonly ASC?: Tokens;
    readonly DESC?: Tokens;
    readonly NULLS?: Tokens;
    readonly FIRST?: Tokens;
    readonly LAST?: Tokens;
  };
}
export interface QueryCst extends Cst<'query'> {
  readonly children: {
    readonly WITH?: Tokens;
    readonly RECURSIVE?: Tokens;
    readonly commonTable?: readonly CommonTableCst[];
    readonly Comma?: Tokens;
    readonly queryTerm: readonly QueryTermCst[];
    readonly setOperator?: readonly SetOperatorCst[];
    readonly orderBy?: readonly OrderByCst[];
    readonly slice?: readonly SliceCst[];
    readonly asOf?: readonly AsOfCst[];
  };
}
export interface AsOfCst extends Cst<'asOf'> {
  readonly children: {
    readonly AS: Tokens;
    readonly OF: Tokens;
    readonly position?: Tokens;
    readonly Number?: Tokens;
    readonly each?: Tokens;
    readonly timestamp?: Tokens;
    readonly expression?: readonly ExpressionCst[];
  };
}
export interface SliceCst extends Cst<'slice'> {
  readonly children: {
    readonly LIMIT?: Tokens;
    readonly OFFSET?: Tokens;
    readonly expression: readonly ExpressionCst[];
  };
}
export interface CommonTableCst extends Cst<'commonTable'> {
  readonly children: {
    readonly name: readonly NameCst[];
    readonly nameList?: readonly NameListCst[];
    readonly AS: Tokens;
    readonly subquery?: readonly SubqueryCst[];
    readonly LParen?: Tokens;
    readonly query?: readonly QueryCst[];
    readonly RParen?: Tokens;
  };
}
export interface SetOperatorCst extends Cst<'setOperator'> {
  readonly children: {
    readonly UNION?: Tokens;
    readonly INTERSECT?: Tokens;
    readonly EXCEPT?: Tokens;
    readonly ALL?: Tokens;
    readonly DISTINCT?: Tokens;
  };
}
export interface QueryTermCst extends Cst<'queryTerm'> {
  readonly children: {
    readonly select?: readonly SelectCst[];
    readonly values?: readonly ValuesCst[];
    readonly subquery?: readonly SubqueryCst[];
  };
}
export interface ValuesCst extends Cst<'values'> {
  readonly children: {
    readonly VALUES: Tokens;
    readonly valuesRow: readonly ValuesRowCst[];
    readonly Comma?: Tokens;
  };
}
export interface ValuesRowCst extends Cst<'valuesRow'> {
  readonly children: {
    readonly LParen: Tokens;
    readonly expression: readonly ExpressionCst[];
    readonly Comma?: Tokens;
    readonly RParen: Tokens;
  };
}
export interface SelectCst extends Cst<'select'> {
  readonly children: {
    readonly SELECT: Tokens;
    readonly DISTINCT?: Tokens;
    readonly selectItem: readonly SelectItemCst[];
    readonly Comma?: Tokens;
    readonly FROM?: Tokens;
    readonly relation?: readonly RelationCst[];
    readonly WHERE?: Tokens;
    readonly where?: readonly ExpressionCst[];
    readonly GROUP?: Tokens;
    readonly BY?: Tokens;
    readonly groupBy?: readonly ExpressionCst[];
    readonly HAVING?: Tokens;
    readonly having?: readonly ExpressionCst[];
    readonly WINDOW?: Tokens;
    readonly windowDefinition?: readonly WindowDefinitionCst[];
  };
}
export interface WindowDefinitionCst extends Cst<'windowDefinition'> {
  readonly children: {
    readonly name: readonly NameCst[];
    readonly AS: Tokens;
    readonly windowSpecification: readonly WindowSpecificationCst[];
  };
}
export interface SelectItemCst extends Cst<'selectItem'> {
  readonly children: {
    readonly Star?: Tokens;
    readonly name?: readonly NameCst[];
    readonly Dot?: Tokens;
    readonly expression?: readonly ExpressionCst[];
    readonly alias?: readonly AliasCst[];
  };
}
export interface AliasCst extends Cst<'alias'> {
  readonly children: {
    readonly AS?: Tokens;
    readonly Name?: Tokens;
    readonly Alias?: Tokens;
  };
}
export interface RelationCst extends Cst<'relation'> {
  readonly children: {
    readonly relationTerm: readonly RelationTermCst[];
    readonly join?: readonly JoinCst[];
  };
}
export interface JoinCst extends Cst<'join'> {
  readonly children: {
    readonly CROSS?: Tokens;
    readonly JOIN?: Tokens;
    readonly relationTerm?: readonly RelationTermCst[];
    readonly INNER?: Tokens;
    readonly LEFT?: Tokens;
    readonly RIGHT?: Tokens;
    readonly FULL?: Tokens;
    readonly OUTER?: Tokens;
    readonly ON?: Tokens;
    readonly expression?: readonly ExpressionCst[];
    readonly USING?: Tokens;
    readonly nameList?: readonly NameListCst[];
  };
}
export interface RelationTermCst extends Cst<'relationTerm'> {
  readonly children: {
    readonly LATERAL?: Tokens;
    readonly subquery?: readonly SubqueryCst[];
    readonly relationAlias?: readonly RelationAliasCst[];
    readonly LParen?: Tokens;
    readonly relation?: readonly RelationCst[];
    readonly RParen?: Tokens;
    readonly relationName?: readonly RelationNameCst[];
  };
}
export interface RelationAliasCst extends Cst<'relationAlias'> {
  readonly children: {
    readonly alias: readonly AliasCst[];
    readonly nameList?: readonly NameListCst[];
  };
}
export interface RelationNameCst extends Cst<'relationName'> {
  readonly children: {
    readonly Name: Tokens;
    readonly Dot?: Tokens;
    readonly Word?: Tokens;
  };
}
export interface AggregateCst extends Cst<'aggregate'> {
  readonly children: {
    readonly AGGREGATE: Tokens;
    readonly name: readonly NameCst[];
    readonly LParen?: Tokens;
    readonly aggregateField?: readonly AggregateFieldCst[];
    readonly Comma?: Tokens;
    readonly RParen?: Tokens;
  };
}
export interface AggregateFieldCst extends Cst<'aggregateField'> {
  readonly children: {
    readonly Placeholder?: Tokens;
    readonly fieldName?: readonly FieldNameCst[];
    readonly typeName?: readonly TypeNameCst[];
    readonly KEY?: Tokens;
    readonly DEFAULT?: Tokens;
    readonly literal?: readonly LiteralCst[];
    readonly AS?: Tokens;
    readonly expression?: readonly ExpressionCst[];
  };
}
export interface CommandCst extends Cst<'command'> {
  readonly children: {
    readonly COMMAND: Tokens;
    readonly name: readonly NameCst[];
    readonly LParen: Tokens;
    readonly commandItem: readonly CommandItemCst[];
    readonly Comma?: Tokens;
    readonly RParen: Tokens;
  };
}
export interface CommandItemCst extends Cst<'commandItem'> {
  readonly children: {
    readonly check?: readonly CheckCst[];
    readonly commandField?: readonly CommandFieldCst[];
  };
}
export interface CheckCst extends Cst<'check'> {
  readonly children: {
    readonly CHECK: Tokens;
    readonly LParen: Tokens;
    readonly expression: readonly ExpressionCst[];
    readonly RParen: Tokens;
    readonly MESSAGE?: Tokens;
    readonly String?: Tokens;
  };
}
export interface CommandFieldCst extends Cst<'commandField'> {
  readonly children: {
    readonly Placeholder?: Tokens;
    readonly fieldName?: readonly FieldNameCst[];
    readonly typeName?: readonly TypeNameCst[];
    readonly KEY?: Tokens;
    readonly SENSITIVE?: Tokens;
    readonly NULL?: Tokens;
    readonly DEFAULT?: Tokens;
    readonly literal?: readonly LiteralCst[];
    readonly check?: readonly CheckCst[];
  };
}
export interface EventCst extends Cst<'event'> {
  readonly children: {
    readonly EVENT: Tokens;
    readonly name: readonly NameCst[];
    readonly LParen: Tokens;
    readonly eventField?: readonly EventFieldCst[];
    readonly Comma?: Tokens;
    readonly RParen: Tokens;
    readonly upcast?: readonly UpcastCst[];
  };
}
export interface UpcastCst extends Cst<'upcast'> {
  readonly children: {
    readonly UPCAST: Tokens;
    readonly FROM: Tokens;
    readonly EVENT?: Tokens;
    readonly name?: readonly NameCst[];
    readonly LParen: Tokens;
    readonly oldField?: readonly OldFieldCst[];
    readonly Comma?: Tokens;
    readonly RParen: Tokens;
    readonly AS: Tokens;
    readonly assignments: readonly AssignmentsCst[];
  };
}
export interface OldFieldCst extends Cst<'oldField'> {
  readonly children: {
    readonly Placeholder?: Tokens;
    readonly fieldName?: readonly FieldNameCst[];
    readonly typeName?: readonly TypeNameCst[];
  };
}
export interface EventFieldCst extends Cst<'eventField'> {
  readonly children: {
    readonly Placeholder?: Tokens;
    readonly fieldName?: readonly FieldNameCst[];
    readonly typeName?: readonly TypeNameCst[];
    readonly SENSITIVE?: Tokens;
    readonly VOLATILE?: Tokens;
    readonly TAG?: Tokens;
  };
}
export interface DecisionCst extends Cst<'decision'> {
  readonly children: {
    readonly DECISION: Tokens;
    readonly name: readonly NameCst[];
    readonly FOR: Tokens;
    readonly aggregate: readonly NameCst[];
    readonly ON: Tokens;
    readonly COMMAND: Tokens;
    readonly command: readonly NameCst[];
    readonly STATE?: Tokens;
    readonly AS: Tokens;
    readonly query?: readonly QueryCst[];
    readonly EMIT?: Tokens;
    readonly branch: readonly BranchCst[];
    readonly UNION?: Tokens;
    readonly ALL?: Tokens;
  };
}
export interface BranchCst extends Cst<'branch'> {
  readonly children: {
    readonly BRANCH?: Tokens;
    readonly name?: readonly NameCst[];
    readonly emit: readonly EmitCst[];
    readonly Comma?: Tokens;
    readonly WHERE?: Tokens;
    readonly expression?: readonly ExpressionCst[];
  };
}
export interface EmitCst extends Cst<'emit'> {
  readonly children: {
    readonly SELECT: Tokens;
    readonly EVENT: Tokens;
    readonly name: readonly NameCst[];
    readonly assignments: readonly AssignmentsCst[];
    readonly emitTarget?: readonly EmitTargetCst[];
  };
}
export interface EmitTargetCst extends Cst<'emitTarget'> {
  readonly children: {
    readonly TO: Tokens;
    readonly name: readonly NameCst[];
    readonly LParen: Tokens;
    readonly expression: readonly ExpressionCst[];
    readonly RParen: Tokens;
  };
}
export interface AssignmentsCst extends Cst<'assignments'> {
  readonly children: {
    readonly LParen: Tokens;
    readonly assignment?: readonly AssignmentCst[];
    readonly Comma?: Tokens;
    readonly RParen: Tokens;
  };
}
export interface AssignmentCst extends Cst<'assignment'> {
  readonly children: {
    readonly Placeholder?: Tokens;
    readonly fieldName?: readonly FieldNameCst[];
    readonly Assign?: Tokens;
    readonly expression?: readonly ExpressionCst[];
  };
}
export interface ProjectionCst extends Cst<'projection'> {
  readonly children: {
    readonly PROJECTION: Tokens;
    readonly name: readonly NameCst[];
    readonly AS: Tokens;
    readonly query: readonly QueryCst[];
  };
}
export interface EventStoreCst extends Cst<'eventStore'> {
  readonly children: {
    readonly EVENTSTORE: Tokens;
    readonly name: readonly NameCst[];
    readonly WITH: Tokens;
    readonly LParen: Tokens;
    readonly storeOption?: readonly StoreOptionCst[];
    readonly Comma?: Tokens;
    readonly RParen: Tokens;
  };
}
export interface StoreOptionCst extends Cst<'storeOption'> {
  readonly children: {
    readonly Word: Tokens;
    readonly Dot?: Tokens;
    readonly Equal: Tokens;
    readonly storeValue: readonly StoreValueCst[];
  };
}
export interface StoreValueCst extends Cst<'storeValue'> {
  readonly children: {
    readonly String?: Tokens;
    readonly Minus?: Tokens;
    readonly Plus?: Tokens;
    readonly Number?: Tokens;
    readonly TRUE?: Tokens;
    readonly FALSE?: Tokens;
    readonly ENV?: Tokens;
    readonly LParen?: Tokens;
    readonly RParen?: Tokens;
    readonly item?: Tokens;
    readonly Comma?: Tokens;
    readonly Placeholder?: Tokens;
  };
}
export interface TemplateCst extends Cst<'template'> {
  readonly children: {
    readonly TEMPLATE: Tokens;
    readonly name: readonly NameCst[];
    readonly WITH?: Tokens;
    readonly LParen: Tokens;
    readonly templateParameter: readonly TemplateParameterCst[];
    readonly Comma?: Tokens;
    readonly RParen: Tokens;
    readonly AS: Tokens;
    readonly open?: Tokens;
    readonly TemplateBody?: Tokens;
    readonly END?: Tokens;
  };
}
export interface TemplateParameterCst extends Cst<'templateParameter'> {
  readonly children: {
    readonly fieldName: readonly FieldNameCst[];
    readonly typeName?: readonly TypeNameCst[];
  };
}
export interface EnumCst extends Cst<'enum'> {
  readonly children: {
    readonly ENUM: Tokens;
    readonly name: readonly NameCst[];
    readonly AS: Tokens;
    readonly LParen: Tokens;
    readonly enumValue: readonly EnumValueCst[];
    readonly Comma?: Tokens;
    readonly RParen: Tokens;
  };
}
export interface EnumValueCst extends Cst<'enumValue'> {
  readonly children: {
    readonly String?: Tokens;
    readonly Placeholder?: Tokens;
  };
}
export interface FunctionCst extends Cst<'function'> {
  readonly children: {
    readonly FUNCTION: Tokens;
    readonly name: readonly NameCst[];
    readonly LParen: Tokens;
    readonly functionParameter?: readonly FunctionParameterCst[];
    readonly Comma?: Tokens;
    readonly RParen: Tokens;
    readonly RETURNS: Tokens;
    readonly typeName: readonly TypeNameCst[];
    readonly AS: Tokens;
    readonly expression: readonly ExpressionCst[];
  };
}
export interface FunctionParameterCst extends Cst<'functionParameter'> {
  readonly children: {
    readonly fieldName: readonly FieldNameCst[];
    readonly typeName: readonly TypeNameCst[];
  };
}
export interface SubscriptionCst extends Cst<'subscription'> {
  readonly children: {
    readonly SUBSCRIPTION: Tokens;
    readonly name: readonly NameCst[];
    readonly startPoint?: readonly StartPointCst[];
    readonly AS: Tokens;
    readonly query: readonly QueryCst[];
    readonly EndingKEY?: Tokens;
    readonly expression?: readonly ExpressionCst[];
    readonly delivery?: readonly DeliveryCst[];
    readonly WITH?: Tokens;
    readonly LParen?: Tokens;
    readonly storeOption?: readonly StoreOptionCst[];
    readonly Comma?: Tokens;
    readonly RParen?: Tokens;
  };
}
export interface StartPointCst extends Cst<'startPoint'> {
  readonly children: {
    readonly FROM: Tokens;
    readonly START?: Tokens;
    readonly NOW?: Tokens;
    readonly position?: Tokens;
    readonly Number?: Tokens;
    readonly TIMESTAMP?: Tokens;
    readonly String?: Tokens;
  };
}
export interface DeliveryCst extends Cst<'delivery'> {
  readonly children: {
    readonly EndingDELIVER: Tokens;
    readonly TO: Tokens;
    readonly WEBHOOK: Tokens;
    readonly url: readonly SecretValueCst[];
    readonly SECRET?: Tokens;
    readonly secret?: readonly SecretValueCst[];
    readonly Comma?: Tokens;
  };
}
export interface SecretValueCst extends Cst<'secretValue'> {
  readonly children: {
    readonly String?: Tokens;
    readonly ENV?: Tokens;
    readonly LParen?: Tokens;
    readonly RParen?: Tokens;
    readonly Placeholder?: Tokens;
  };
}
export interface ReactionCst extends Cst<'reaction'> {
  readonly children: {
    readonly REACTION: Tokens;
    readonly name: readonly NameCst[];
    readonly startPoint?: readonly StartPointCst[];
    readonly ON: Tokens;
    readonly EVENT: Tokens;
    readonly event: readonly NameCst[];
    readonly Comma?: Tokens;
    readonly OF?: Tokens;
    readonly aggregate?: readonly NameCst[];
    readonly STATE?: Tokens;
    readonly AS?: Tokens;
    readonly query?: readonly QueryCst[];
    readonly execution: readonly ExecutionCst[];
    readonly UNION?: Tokens;
    readonly ALL?: Tokens;
  };
}
export interface ExecutionCst extends Cst<'execution'> {
  readonly children: {
    readonly BRANCH?: Tokens;
    readonly label?: readonly NameCst[];
    readonly EndingEXECUTE: Tokens;
    readonly command: readonly NameCst[];
    readonly assignments: readonly AssignmentsCst[];
    readonly due?: readonly DueCst[];
    readonly UNLESS?: Tokens;
    readonly EVENT?: Tokens;
    readonly unless?: readonly NameCst[];
    readonly Comma?: Tokens;
    readonly WHERE?: Tokens;
    readonly expression?: readonly ExpressionCst[];
  };
}
export interface DueCst extends Cst<'due'> {
  readonly children: {
    readonly AFTER?: Tokens;
    readonly expression?: readonly ExpressionCst[];
    readonly dueUnit?: readonly DueUnitCst[];
    readonly AT?: Tokens;
  };
}
export interface DueUnitCst extends Cst<'dueUnit'> {
  readonly children: {
    readonly SECOND?: Tokens;
    readonly SECONDS?: Tokens;
    readonly MINUTE?: Tokens;
    readonly MINUTES?: Tokens;
    readonly HOUR?: Tokens;
    readonly HOURS?: Tokens;
    readonly DAY?: Tokens;
    readonly DAYS?: Tokens;
    readonly WEEK?: Tokens;
    readonly WEEKS?: Tokens;
  };
}
export interface StatementCst extends Cst<'statement'> {
  readonly children: {
    readonly create?: readonly CreateCst[];
    readonly drop?: readonly DropCst[];
    readonly apply?: readonly ApplyCst[];
    readonly execute?: readonly ExecuteCst[];
    readonly inspect?: readonly InspectCst[];
    readonly describe?: readonly DescribeCst[];
    readonly validate?: readonly ValidateCst[];
    readonly explain?: readonly ExplainCst[];
    readonly export?: readonly ExportCst[];
    readonly advance?: readonly AdvanceCst[];
    readonly query?: readonly QueryCst[];
  };
}
export interface CreateCst extends Cst<'create'> {
  readonly children: {
    readonly CREATE: Tokens;
    readonly OR?: Tokens;
    readonly REPLACE?: Tokens;
    readonly aggregate?: readonly AggregateCst[];
    readonly command?: readonly CommandCst[];
    readonly event?: readonly EventCst[];
    readonly decision?: readonly DecisionCst[];
    readonly projection?: readonly ProjectionCst[];
    readonly eventStore?: readonly EventStoreCst[];
    readonly template?: readonly TemplateCst[];
    readonly enum?: readonly EnumCst[];
    readonly function?: readonly FunctionCst[];
    readonly subscription?: readonly SubscriptionCst[];
    readonly reaction?: readonly ReactionCst[];
    readonly table?: readonly TableCst[];
  };
}
export interface TableCst extends Cst<'table'> {
  readonly children: {
    readonly TABLE: Tokens;
    readonly name: readonly NameCst[];
    readonly nameList?: readonly NameListCst[];
    readonly AS: Tokens;
    readonly query: readonly QueryCst[];
  };
}
export interface BlockKindCst extends Cst<'blockKind'> {
  readonly children: {
    readonly AGGREGATE?: Tokens;
    readonly COMMAND?: Tokens;
    readonly EVENT?: Tokens;
    readonly DECISION?: Tokens;
    readonly PROJECTION?: Tokens;
    readonly EVENTSTORE?: Tokens;
    readonly TEMPLATE?: Tokens;
    readonly ENUM?: Tokens;
    readonly FUNCTION?: Tokens;
    readonly SUBSCRIPTION?: Tokens;
    readonly REACTION?: Tokens;
  };
}
export interface DropCst extends Cst<'drop'> {
  readonly children: {
    readonly DROP: Tokens;
    readonly blockKind?: readonly BlockKindCst[];
    readonly TABLE?: Tokens;
    readonly name: readonly NameCst[];
  };
}
export interface ApplyCst extends Cst<'apply'> {
  readonly children: {
    readonly APPLY?: Tokens;
    readonly USE?: Tokens;
    readonly TEMPLATE: Tokens;
    readonly name: readonly NameCst[];
    readonly WITH: Tokens;
    readonly LParen: Tokens;
    readonly templateArgument?: readonly TemplateArgumentCst[];
    readonly Comma?: Tokens;
    readonly RParen: Tokens;
  };
}
export interface TemplateArgumentCst extends Cst<'templateArgument'> {
  readonly children: {
    readonly fieldName: readonly FieldNameCst[];
    readonly Equal: Tokens;
    readonly literal?: readonly LiteralCst[];
    readonly fieldList?: readonly FieldListCst[];
  };
}
export interface FieldListCst extends Cst<'fieldList'> {
  readonly children: {
    readonly LParen: Tokens;
    readonly commandField?: readonly CommandFieldCst[];
    readonly Comma?: Tokens;
    readonly RParen: Tokens;
  };
}
export interface ExecuteCst extends Cst<'execute'> {
  readonly children: {
    readonly EXECUTE: Tokens;
    readonly name: readonly NameCst[];
    readonly assignments: readonly AssignmentsCst[];
    readonly WITH?: Tokens;
    readonly LParen?: Tokens;
    readonly executeOption?: readonly ExecuteOptionCst[];
    readonly Comma?: Tokens;
    readonly RParen?: Tokens;
  };
}
export interface ExecuteOptionCst extends Cst<'executeOption'> {
  readonly children: {
    readonly fieldName: readonly FieldNameCst[];
    readonly Equal: Tokens;
    readonly expression: readonly ExpressionCst[];
  };
}
export interface InspectCst extends Cst<'inspect'> {
  readonly children: {
    readonly INSPECT: Tokens;
    readonly inspectDecision?: readonly InspectDecisionCst[];
    readonly inspectProjection?: readonly InspectProjectionCst[];
    readonly inspectReaction?: readonly InspectReactionCst[];
  };
}
export interface InspectDecisionCst extends Cst<'inspectDecision'> {
  readonly children: {
    readonly DECISION: Tokens;
    readonly name: readonly NameCst[];
    readonly FROM: Tokens;
    readonly source: readonly RelationNameCst[];
    readonly INTO: Tokens;
    readonly target: readonly RelationNameCst[];
    readonly inspectChoice?: readonly InspectChoiceCst[];
    readonly inspectOption?: readonly InspectOptionCst[];
  };
}
export interface InspectReactionCst extends Cst<'inspectReaction'> {
  readonly children: {
    readonly REACTION: Tokens;
    readonly name: readonly NameCst[];
    readonly FROM: Tokens;
    readonly source: readonly RelationNameCst[];
    readonly INTO: Tokens;
    readonly target: readonly RelationNameCst[];
    readonly inspectChoice?: readonly InspectChoiceCst[];
    readonly inspectOption?: readonly InspectOptionCst[];
  };
}
export interface InspectOptionCst extends Cst<'inspectOption'> {
  readonly children: {
    readonly asOf?: readonly AsOfCst[];
    readonly USING?: Tokens;
    readonly EVENTSTORE?: Tokens;
    readonly name?: readonly NameCst[];
    readonly WITH?: Tokens;
    readonly schema?: Tokens;
    readonly file?: Tokens;
    readonly String?: Tokens;
  };
}
export interface InspectProjectionCst extends Cst<'inspectProjection'> {
  readonly children: {
    readonly PROJECTION: Tokens;
    readonly name: readonly NameCst[];
    readonly FROM: Tokens;
    readonly source: readonly RelationNameCst[];
    readonly INTO: Tokens;
    readonly target: readonly RelationNameCst[];
    readonly inspectClause?: readonly InspectClauseCst[];
    readonly inspectChoice?: readonly InspectChoiceCst[];
    readonly inspectOption?: readonly InspectOptionCst[];
  };
}
export interface InspectClauseCst extends Cst<'inspectClause'> {
  readonly children: {
    readonly OFFSET: Tokens;
    readonly expression: readonly ExpressionCst[];
  };
}
export interface InspectChoiceCst extends Cst<'inspectChoice'> {
  readonly children: {
    readonly WHERE?: Tokens;
    readonly LIMIT?: Tokens;
    readonly expression: readonly ExpressionCst[];
  };
}
export interface DescribeCst extends Cst<'describe'> {
  readonly children: {
    readonly DESCRIBE: Tokens;
    readonly blockKind?: readonly BlockKindCst[];
    readonly INSPECTION?: Tokens;
    readonly name?: readonly NameCst[];
    readonly describedKinds?: readonly DescribedKindsCst[];
  };
}
export interface DescribedKindsCst extends Cst<'describedKinds'> {
  readonly children: {
    readonly AGGREGATES?: Tokens;
    readonly COMMANDS?: Tokens;
    readonly EVENTS?: Tokens;
    readonly DECISIONS?: Tokens;
    readonly PROJECTIONS?: Tokens;
    readonly EVENTSTORES?: Tokens;
    readonly TEMPLATES?: Tokens;
    readonly ENUMS?: Tokens;
    readonly FUNCTIONS?: Tokens;
    readonly SUBSCRIPTIONS?: Tokens;
    readonly REACTIONS?: Tokens;
    readonly INSPECTIONS?: Tokens;
  };
}
export interface ValidateCst extends Cst<'validate'> {
  readonly children: {
    readonly VALIDATE: Tokens;
    readonly registry: readonly RegistryCst[];
  };
}
export interface ExportCst extends Cst<'export'> {
  readonly children: {
    readonly EXPORT: Tokens;
    readonly registry: readonly RegistryCst[];
    readonly asOf?: readonly AsOfCst[];
  };
}
export interface AdvanceCst extends Cst<'advance'> {
  readonly children: {
    readonly ADVANCE: Tokens;
    readonly CLOCK: Tokens;
    readonly Number?: Tokens;
    readonly dueUnit?: readonly DueUnitCst[];
    readonly TO?: Tokens;
    readonly TIMESTAMP?: Tokens;
    readonly String?: Tokens;
  };
}
export interface RegistryCst extends Cst<'registry'> {
  readonly children: {
    readonly REGISTRY?: Tokens;
    readonly REG?: Tokens;
    readonly DEREG?: Tokens;
  };
}
export interface ExplainCst extends Cst<'explain'> {
  readonly children: {
    readonly EXPLAIN: Tokens;
    readonly DECISION?: Tokens;
    readonly PROJECTION?: Tokens;
    readonly REACTION?: Tokens;
    readonly name?: readonly NameCst[];
    readonly query?: readonly QueryCst[];
  };
}
