import type { TypedExpression } from '../../../language/catalog/expression.ts';
import { writtenName } from '../../../language/catalog/distinct-names.ts';
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import { isFaulty } from '../typed/typed.ts';
import type { Binding } from './binding.ts';
import { sameExpression } from './same-expression.ts';
import type { Scope } from './scope.ts';
import { walkExpression, walkQuery, type Visit } from '../typed/walk.ts';

/**
 * Reports each column of this level that is neither a grouping expression nor inside an aggregate; once per column. The aggregates of its
 * subqueries are over other rows, so the rule applies inside them too.
 */
export function checkGrouped(
  expressions: readonly TypedExpression[],
  groupBy: readonly TypedExpression[],
  scope: Scope,
  binding: Binding,
): void {
  const relations = new Set(scope.relations.map((relation) => relation.id));
  const reported = new Set<string>();
  const look = (whole: TypedExpression, inQuery: boolean): Visit => {
    const visit: Visit = (part) => {
      if (part.kind === 'literal' || part.kind === 'argument' || part.kind === 'caller' || isFaulty(part)) return false;
      if (groupBy.some((group) => sameExpression(group, part))) return false;
      if (part.kind === 'aggregate') return inQuery;
      if ('query' in part && !inQuery) {
        if (part.kind === 'in-query') walkExpression(part.operand, visit);
        walkQuery(part.query, look(whole, true));
        return false;
      }
      if (part.kind !== 'column' || !relations.has(part.relation)) return true;
      const span = binding.spans.get(part) ?? binding.spans.get(whole);
      const key = `${part.relation}.${part.column}`;
      const column = writtenName(part.column);
      if (span !== undefined && !reported.has(key)) binding.report(diagnose('E0601', span, { column }));
      reported.add(key);
      return false;
    };
    return visit;
  };
  for (const whole of expressions) walkExpression(whole, look(whole, false));
}
