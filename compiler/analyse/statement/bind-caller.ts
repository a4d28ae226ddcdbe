import { subjectProblem, type CallerIdentity } from '../../../language/contract/caller.ts';
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import type { Report } from '../../../language/diagnostics/diagnostic.ts';
import { typeName, type Type } from '../../../language/values/type.ts';
import type { Expression, WrittenCaller, WrittenClaim } from '../../syntax/ast.ts';
import type { Environment } from '../environment/environment.ts';
import type { BindScope, Bound, Registry } from '../environment/registry.ts';
import type { LiteralValue } from '../literal/literal-value.ts';
import { literalAs, readLiteral } from '../literal/read-literal.ts';
import { recordBlockUse } from '../name/record-block-use.ts';
import { reportUnknownBlock } from '../name/unknown-block.ts';
import { callerBinding } from './bind-query.ts';
import { boundWith } from './bound.ts';

/** The caller of SET CALLER, as the payload of a token with these claims (docs/callers.md#the-caller). Roles are known to no schema. */
export function bindCaller(registry: Registry, written: WrittenCaller, scope: BindScope): Bound<CallerIdentity> {
  return boundWith((report) => {
    const { environment } = callerBinding(registry, scope, report);
    const { subject, roles } = written;
    const name = subject.kind === 'NullLiteral' ? null : subject.value;
    const problem = name === null ? undefined : subjectProblem(name);
    if (problem !== undefined) report(diagnose('E0731', subject.span, { problem }));
    const claims: Record<string, unknown> = {};
    const seen = new Set<string>();
    for (const node of written.claims) {
      const claim = claimOf(node, environment, report);
      if (claim === undefined) continue;
      if (seen.has(claim.name)) report(diagnose('E0413', node.name.span, { name: claim.name }));
      seen.add(claim.name);
      setMember(claims, claim.path, claim.value);
    }
    return { subject: name, roles: roles.map(({ value }) => value), claims };
  });
}

interface Claim {
  readonly name: string;
  readonly path: readonly string[];
  readonly value: LiteralValue | null | readonly (LiteralValue | null)[];
}

function claimOf(node: WrittenClaim, environment: Environment, report: Report): Claim | undefined {
  const found = environment.find('claim', node.name.text);
  recordBlockUse('claim', node.name, found, environment);
  if (found.status === 'unknown') reportUnknownBlock('claim', node.name, environment, report);
  if (found.status !== 'found') return undefined;
  const { name, type, path } = found.block;
  const value = valueOf(node, type);
  if (value !== undefined) return { name, path, value };
  report(diagnose('E0730', node.span, { name, type: typeName(type) }));
  return undefined;
}

/** Undefined for a value of another type. */
function valueOf({ values, isList }: WrittenClaim, type: Type): Claim['value'] | undefined {
  const [first] = values;
  if (!isList && first?.kind === 'NullLiteral') return null;
  if (type.kind !== 'LIST') return isList || first === undefined ? undefined : literalOf(first, type);
  const items = values.map((item) => literalOf(item, type.of));
  return isList && items.every((item) => item !== undefined) ? items : undefined;
}

function literalOf(node: Expression, type: Type): LiteralValue | undefined {
  const written = readLiteral(node);
  return written === undefined ? undefined : literalAs(type, written);
}

/** Defines an own member, whatever its name is. */
function setMember(within: object, [first = '', ...rest]: readonly string[], value: Claim['value']): void {
  const define = (given: unknown): void => {
    Object.defineProperty(within, first, { value: given, enumerable: true, configurable: true, writable: true });
  };
  if (rest.length === 0) {
    define(value);
    return;
  }
  const before: unknown = Object.hasOwn(within, first) ? (within as Record<string, unknown>)[first] : undefined;
  const next = typeof before === 'object' && before !== null && !Array.isArray(before) ? before : {};
  define(next);
  setMember(next, rest, value);
}
