import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import type { AsOf, Query } from '../ast.ts';
import type { AsOfCst, QueryCst } from '../grammar/cst.ts';
import { buildExpression } from './chain.ts';
import { first, spanOf, spanOfToken, type BuildContext } from './context.ts';
import { numberText } from './literal.ts';
import { buildQuery } from './query.ts';

/** A query that is a statement or ends one: only there it may name a moment. */
export function buildWholeQuery(context: BuildContext, cst: QueryCst): { readonly query: Query; readonly asOf?: AsOf } {
  const { asOf, ...children } = cst.children;
  const query = buildQuery(context, { ...cst, children });
  return asOf === undefined ? { query } : { query, asOf: buildAsOf(context, first(asOf)) };
}

export function buildAsOf(context: BuildContext, cst: AsOfCst): AsOf {
  const { Number: digits, expression } = cst.children;
  const span = spanOf(context, cst);
  if (digits !== undefined) {
    const token = first(digits);
    const text = numberText(token);
    const position = /^\d{1,16}$/.test(text) ? Number(text) : NaN;
    if (Number.isSafeInteger(position)) return { kind: 'AsOf', span, unit: 'position', position };
    context.report(diagnose('E0122', spanOfToken(context, token), { given: token.image }));
    return { kind: 'AsOf', span, unit: 'position', position: 0 };
  }
  if (expression === undefined) return { kind: 'AsOf', span, unit: 'each' };
  return { kind: 'AsOf', span, unit: 'timestamp', time: buildExpression(context, first(expression)) };
}
