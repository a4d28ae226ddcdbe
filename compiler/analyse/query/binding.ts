import type { Column } from '../../../language/contract/query.ts';
import type { AggregateBlock, CommandBlock, ProjectionBlock } from '../../../language/catalog/block.ts';
import type { TypedExpression } from '../../../language/catalog/expression.ts';
import type { BoundQuery } from '../../../language/catalog/query.ts';
import type { Report } from '../../../language/diagnostics/diagnostic.ts';
import type { Span } from '../../../language/source/span.ts';
import type { Environment } from '../incremental/environment.ts';
import type { BindScope, RelationAccess } from '../incremental/registry.ts';
import type { WindowDefinition } from '../../syntax/ast.ts';
import type { CommonTableScope, Scope } from './scope.ts';

/** What is the same for every part of one query, subqueries included. */
export interface Binding {
  readonly environment: Environment;
  readonly report: Report;
  /** Ids of relations and WITH tables, unique in the whole query. */
  readonly nextId: () => number;
  /** How often recursive tables may still be bound again to settle their types: nested ones must not multiply without end. */
  readonly rebinds: { left: number };
  /** Where each bound expression was written, for rules that run after binding. */
  readonly spans: WeakMap<TypedExpression, Span>;
  /** The command whose fields `:field` names; none outside decisions. `unknown`: it is at fault, and so is reported elsewhere. */
  readonly command?: CommandBlock | 'unknown';
  /**
   * `marks`: schema text, where a mark follows values. `masks`: a caller without sensitive:read. `clear`: one with it; nothing is
   * refused or masked.
   */
  readonly sensitivity: 'marks' | 'masks' | 'clear';
  /** Where chance and time may not be used, in words; undefined where they may. */
  readonly fixed?: string;
  readonly tables: BindScope['tables'];
  /** Without it every relation may be read. */
  readonly access?: RelationAccess;
  /** The registry of a named event store; only queries outside the schema may read one. */
  readonly storeEnvironment?: (store: string) => Environment;
  /** INSPECT PROJECTION: what stands in for relations of the registry, where anything does. */
  readonly standIn?: StandIn;
}

/** Queries that take the place of relations; undefined where the relation itself is read. */
export interface StandIn {
  readonly events: (aggregate: AggregateBlock) => BoundQuery | undefined;
  readonly state: (aggregate: AggregateBlock) => BoundQuery | undefined;
  readonly projection: (projection: ProjectionBlock) => BoundQuery | undefined;
}

/** Where an expression stands, and so what it may hold. */
export interface Site {
  /** In words, for messages: `WHERE`, `the guard of BRANCH Full`. */
  readonly where: string;
  readonly aggregates: 'allowed' | 'refused' | 'nested' | 'decision';
  readonly windows: boolean;
  readonly queries: boolean;
  /** In `masks`, sensitive columns are refused here as soon as they are met. */
  readonly sensitive: 'masked' | 'refused';
}

export interface ExpressionContext {
  readonly binding: Binding;
  readonly scope: Scope;
  readonly site: Site;
  /** The WINDOW clause of the select that this stands in. */
  readonly windows?: readonly WindowDefinition[];
}

/** What came of binding a query. `open`: a relation in it is unknown, so its columns are not all known. */
export interface QueryOutcome<Q> {
  readonly query: Q;
  readonly open: boolean;
}

export type { Column, CommonTableScope };
