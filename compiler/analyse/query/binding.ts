import type { Column } from '../../../language/contract/query.ts';
import type { Type } from '../../../language/values/type.ts';
import type { AggregateBlock, CommandBlock, ProjectionBlock } from '../../../language/catalog/block.ts';
import type { Spans } from '../../../language/catalog/expression.ts';
import type { BoundQuery } from '../../../language/catalog/query.ts';
import type { Report } from '../../../language/diagnostics/diagnostic.ts';
import type { Environment } from '../environment/environment.ts';
import type { BindScope, RelationAccess } from '../environment/registry.ts';
import type { WindowDefinition } from '../../syntax/ast.ts';
import type { CommonTableScope, Scope } from './scope.ts';
import type { Sensitivity } from '../sensitive/mask.ts';

/** The part of the context that is the same throughout one query, subqueries included. */
export interface Binding {
  readonly environment: Environment;
  readonly report: Report;
  /** Ids of relations and WITH tables, unique in the whole query. */
  readonly nextId: () => number;
  /** Number of times that recursive tables may still be bound again to find their types: nested ones must not multiply without limit. */
  readonly rebinds: { left: number };
  /** Names that may still be compared with unknown ones: thousands of unknown names must not multiply with as many columns. */
  readonly compared: { left: number };
  /** Columns of relations, and of `*`, so far. */
  readonly counted: { read: number; starred: number };
  /** The place of each bound expression in the text, for rules that run after binding. */
  readonly spans: Spans;
  /** The command whose fields `:field` names; none outside decisions. `unknown`: it has errors, which are reported elsewhere. */
  readonly command?: CommandBlock | 'unknown';
  /** In a reaction: the event whose fields and facts `:name` names. */
  readonly event?: EventInputs;
  /** Values that `:name` names: the facts of the stored event in an UPCAST clause, or values that come with a query. */
  readonly given?: readonly { readonly name: string; readonly type: Type }[];
  readonly sensitivity: Sensitivity;
  /** The place where random values and time are not allowed, in words; undefined where they are. */
  readonly fixed?: string;
  /**
   * Set where the caller is known: then `CURRENT_USER` is a column of that name, if there is one, and in clauses about callers it is
   * always the caller.
   */
  readonly callers?: 'after columns' | 'before columns';
  readonly tables: BindScope['tables'];
  /** Columns of `X$Commands`; absent where there is no such relation. */
  readonly commandColumns?: NonNullable<BindScope['commandColumns']>;
  /** If absent every relation may be read. */
  readonly access?: RelationAccess;
  /** The registry of a named event store; only queries outside the schema may read one. */
  readonly storeEnvironment?: (store: string) => Environment;
  /** INSPECT PROJECTION: the replacements of relations of the registry, if there are any. */
  readonly standIn?: StandIn;
}

export interface EventInputs {
  /** In words, for messages. */
  readonly word: string;
  readonly events: readonly string[];
  readonly inputs: readonly (Column & { readonly isField: boolean })[];
  /** Some event is unknown or has errors, so that not all fields are known. */
  readonly open: boolean;
}

/** Queries that replace relations; undefined for a relation that is read itself. */
export interface StandIn {
  readonly events: (aggregate: AggregateBlock) => BoundQuery | undefined;
  readonly state: (aggregate: AggregateBlock) => BoundQuery | undefined;
  readonly projection: (projection: ProjectionBlock) => BoundQuery | undefined;
}

/** The place of an expression, which decides its allowed parts. */
export interface Site {
  /** In words, for messages: `WHERE`, `the guard of BRANCH Full`. */
  readonly where: string;
  readonly aggregates: 'allowed' | 'refused' | 'nested' | 'decision';
  readonly windows: boolean;
  readonly queries: boolean;
  /** In `masks`, sensitive columns are refused here as soon as they appear. */
  readonly sensitive: 'masked' | 'refused';
}

export interface ExpressionContext {
  readonly binding: Binding;
  readonly scope: Scope;
  readonly site: Site;
  /** The WINDOW clause of the select around this place. */
  readonly windows?: readonly WindowDefinition[];
  /** The expression is the right side of an equality: a word that is no column is probably a text. */
  readonly isCompared?: boolean;
}

/** The result of binding a query. `open`: a relation in it is unknown, so not all of its columns are known. */
export interface QueryOutcome<Q> {
  readonly query: Q;
  readonly open: boolean;
}

export type { Column, CommonTableScope };
