import {
  bindQuery,
  type BindScope,
  type Bound,
  type BoundQuery,
  type Query,
  type Catalog,
  type Registry,
  type TypedExpression,
} from '../../../compiler/index.ts';
import { callerValue, callerValues, type CallerIdentity } from '../../../language/contract/caller.ts';
import { toPayload } from '../../../language/values/payload.ts';
import type { Value } from '../../../language/values/type.ts';
import { askerOf, type Asker } from '../asker.ts';
import { identityOf, type Caller } from '../caller.ts';
import { may } from '../rights.ts';
import { clear, visible } from './visible.ts';

/** The names that a query may use. `caller`: its parts take the places that name them. */
export interface Names extends Omit<BindScope, 'access'> {
  /** Relations that this caller may not read do not exist for the query; without one, all of the registry do. */
  readonly caller?: Caller;
  /** The caller by whom rows are chosen, if it is known otherwise; its parts stay as parameters. */
  readonly asker?: Asker | undefined;
  /** The query is answered as of a moment, where CLEAR shows nothing. */
  readonly past?: boolean;
  /** Receives each relation that exists and may not be read. */
  readonly onDenied?: (relation: string) => void;
}

/** Binds the relations that a query names: the only place of the server that does, whichever way in the query came. */
export function bind(
  registry: Registry,
  query: Query,
  { caller, asker, past, onDenied = () => undefined, ...scope }: Names,
): Bound<BoundQuery> {
  const mayRead = (relation: string): boolean => caller === undefined || may(caller, `read:${relation}`);
  const access = caller === undefined ? {} : { access: { mayRead, onDenied } };
  const { value, ...found } = bindQuery(registry, query, { ...scope, ...access });
  if (value === undefined) return found;
  const { catalog } = registry;
  const own = asker ?? (caller && askerOf(catalog.blocks.claim, caller));
  const seen = visible(value, own, () => catalog);
  const shown = past === true ? seen : clear(seen, own, () => catalog);
  return { ...found, value: caller === undefined ? shown : withCaller(shown, catalog, identityOf(caller)) };
}

/**
 * The query with values of a caller in place of the parts of it that the query names; without a caller NULL, and FALSE for a role. Throws R0117
 * for a claim of another type that the query names.
 */
export function withCaller(query: BoundQuery, { blocks }: Catalog, caller: CallerIdentity | undefined): BoundQuery {
  const text = JSON.stringify(query);
  const named = new Set<string>();
  // Bound queries are plain data, in which only parts of the caller have this kind. In a text of the query the quotes are escaped.
  if (!text.includes('"kind":"caller"')) return query;
  JSON.parse(text, (_key, node: Partial<CallerNode> | null) => {
    if (isCaller(node) && node.part.of === 'claim') named.add(node.part.claim);
    return node;
  });
  const claims = blocks.claim.filter(({ name }) => named.has(name));
  const values = caller && callerValues(caller, claims);
  return JSON.parse(text, (_key, node: Partial<CallerNode> | null) => {
    if (!isCaller(node)) return node;
    const { part, kind: _, ...facts } = node;
    return literal(callerValue(values, part), facts);
  }) as BoundQuery;
}

/** The query with these values in place of its parameters. */
export function withValues(query: BoundQuery, values: ReadonlyMap<string, Value>): BoundQuery {
  return JSON.parse(JSON.stringify(query), (_key, node: Partial<ArgumentNode> | null) => {
    if (node?.kind !== 'argument' || !values.has(node.name ?? '')) return node;
    // Bound queries are plain data, in which only parameters have this kind.
    const { name, kind: _, ...facts } = node as ArgumentNode;
    return literal(values.get(name) ?? null, facts);
  }) as BoundQuery;
}

function literal(value: Value, facts: Pick<TypedExpression, 'type' | 'nullable' | 'sensitive'>): TypedExpression {
  const payload = toPayload(value, facts.type);
  const written = facts.type.kind === 'LIST' && payload !== null ? JSON.stringify(payload) : payload;
  return { ...facts, kind: 'literal', value: written as LiteralValue }; // a payload is an object or a list in a LIST or STRUCT alone
}

type LiteralValue = Extract<TypedExpression, { readonly kind: 'literal' }>['value'];
type ArgumentNode = Extract<TypedExpression, { readonly kind: 'argument' }>;
type CallerNode = Extract<TypedExpression, { readonly kind: 'caller' }>;

function isCaller(node: Partial<CallerNode> | null): node is CallerNode {
  return node?.kind === 'caller';
}
