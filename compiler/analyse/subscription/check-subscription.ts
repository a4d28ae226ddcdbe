import type { SubscriptionBlock } from '../../../language/catalog/block.ts';
import type { TypedExpression } from '../../../language/catalog/expression.ts';
import type { BoundQuery } from '../../../language/catalog/query.ts';
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import type { Report } from '../../../language/diagnostics/diagnostic.ts';
import type { Type } from '../../../language/values/type.ts';
import { parseTimestamp } from '../../../language/values/timestamp.ts';
import type { CreateSubscription, Delivery, StartPoint, StoreValue } from '../../syntax/ast.ts';
import { isStableCall } from '../../functions/properties-of-call.ts';
import { printExpression, printQuery } from '../../syntax/print.ts';
import { aggregatesRead } from '../query/aggregates-read.ts';
import { bindExpression } from '../expression/bind-expression.ts';
import { isFaulty } from '../typed/typed.ts';
import type { BlockContext } from '../environment/environment.ts';
import { bindQuery } from '../query/bind-query.ts';
import type { Binding } from '../query/binding.ts';
import { checkDistinctNames, checkStorable } from '../query/column-list.ts';
import { createBinding } from '../query/create-binding.ts';
import { emptyScope, scopeOver } from '../query/scope.ts';
import { walkQuery } from '../typed/walk.ts';
import { checkRowByRow, checkSources } from './row-by-row.ts';
import { deliveredRows, keyColumns } from './delivered-rows.ts';
import { checkOptions } from './subscription-options.ts';
import type { WebhookTarget } from '../../../language/contract/subscription.ts';
import { isOwnComputer, webhookUrlProblem } from '../../../language/contract/webhook-url.ts';

/** Names of the facts of a row that its columns cannot have. */
const rowFacts: readonly string[] = ['position', 'attempt', 'late'];

/** SUBSCRIPTION (docs/language.md#subscription): one event in, one row or none out, in the order of the log. */
export function checkSubscription(tree: CreateSubscription, context: BlockContext): SubscriptionBlock | undefined {
  const { environment, report } = context;
  const binding = createBinding(environment, report, { fixed: 'a subscription' });
  const isRowByRow = checkRowByRow(tree, report);
  const { query, open } = bindQuery(tree.query, binding, emptyScope, { ordered: false });
  const options = checkOptions(tree.options, tree.delivery !== undefined, report);
  const delivery = tree.delivery === undefined ? undefined : checkDelivery(tree.delivery, report);
  const start = startOf(tree.from, report);
  if (open || !isRowByRow || !checkSources(tree, query, report)) return undefined;
  checkDistinctNames(query.columns, tree.name, binding, tree.query);
  checkStorable(query.columns, tree.name, binding);
  checkColumns(tree, query, report);
  const id = binding.nextId();
  const key = bindKey(tree, query, id, binding);
  if (key === undefined) return undefined;
  return {
    kind: 'subscription',
    name: tree.name.text,
    text: context.text,
    references: context.references(),
    start,
    query: deliveredRows(query, key, id),
    columns: query.columns,
    queryText: printQuery(tree.query),
    ...(tree.key === undefined ? {} : { keyText: printExpression(tree.key) }),
    aggregates: aggregatesRead(query, environment),
    ...(delivery === undefined ? {} : { delivery }),
    options,
  };
}

/** Types whose texts do not show whether two values are equal. */
const parts: ReadonlySet<Type['kind']> = new Set(['LIST', 'STRUCT', 'JSON', 'INTERVAL', 'WALL']);

function checkColumns(tree: CreateSubscription, query: BoundQuery, report: Report): void {
  const name = query.columns.map((column) => column.name).find((column) => rowFacts.includes(column.toLowerCase()));
  if (name !== undefined) report(diagnose('E1103', tree.query.span, { name, reserved: rowFacts }));
  const timed: TypedExpression[] = [];
  walkQuery(query, (part) => {
    if (isStableCall(part)) timed.push(part);
    return true;
  });
  if (timed.length > 0)
    report(diagnose('E0416', tree.query.span, { function: 'the current time', where: 'a subscription' }));
}

/** Over the columns of the rows and `stream_id`, which is the key if none is given. */
function bindKey(
  tree: CreateSubscription,
  query: BoundQuery,
  id: number,
  binding: Binding,
): TypedExpression | undefined {
  const scope = scopeOver({ id, name: undefined, columns: keyColumns(query), open: false, optional: false });
  const streamId = { kind: 'column', relation: id, column: '$stream_id', type: { kind: 'STRING' } } as const;
  if (tree.key === undefined) return { ...streamId, nullable: false, sensitive: false };
  const site = { where: 'KEY', aggregates: 'refused', windows: false, queries: false, sensitive: 'masked' } as const;
  const key = bindExpression(tree.key, { binding, scope, site });
  if (isFaulty(key)) return undefined;
  const fault = key.sensitive
    ? 'a SENSITIVE value, which the order of the rows would show'
    : !parts.has(key.type.kind)
      ? undefined
      : 'a value of several parts';
  if (fault !== undefined) binding.report(diagnose('E1104', tree.key.span, { problem: fault }));
  return fault === undefined ? key : undefined;
}

/** FROM of a subscription or a reaction. */
export function startOf(from: StartPoint | undefined, report: Report): SubscriptionBlock['start'] {
  if (from === undefined || from.at === 'start') return { at: 'start' };
  if (from.at === 'now') return { at: 'now' };
  if (from.at === 'position') {
    const position = Number(from.text);
    if (Number.isSafeInteger(position)) return { at: 'position', position };
  } else if (parseTimestamp(from.text) !== undefined) return { at: 'timestamp', timestamp: from.text };
  report(diagnose('E1105', from.span, { written: from.text }));
  return { at: 'start' };
}

/** Secrets that sign at the same time, while one replaces the other. */
const mostSecrets = 2;

/** DELIVER TO WEBHOOK: nothing secret is part of the text, and no request lacks a signature, except to this computer. */
function checkDelivery({ url, secrets, span }: Delivery, report: Report): WebhookTarget | undefined {
  const refuse = (problem: string): void => report(diagnose('E1108', span, { problem }));
  const target = targetOf(url, refuse);
  const variables = secrets.flatMap((value) => (value.type === 'env' ? [{ env: value.variable }] : []));
  if (target === undefined) return undefined;
  if (variables.length < secrets.length) refuse("takes its secret from the environment: SECRET ENV('NAME')");
  else if (secrets.length > mostSecrets) refuse(`takes at most ${mostSecrets} secrets`);
  else if (secrets.length === 0 && !(typeof target === 'string' && isOwnComputer(new URL(target))))
    refuse("needs SECRET ENV('NAME'): receivers cannot distinguish requests without a signature from forged ones");
  else return { url: target, secrets: variables };
  return undefined;
}

function targetOf(value: StoreValue, refuse: (problem: string) => void): WebhookTarget['url'] | undefined {
  if (value.type === 'env') return { env: value.variable };
  const problem = value.type === 'string' ? webhookUrlProblem(value.text) : "takes a URL or ENV('NAME')";
  if (problem === undefined && value.type === 'string') return value.text;
  if (problem !== undefined) refuse(problem);
  return undefined;
}
