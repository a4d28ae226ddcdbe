import type { WebhookTarget } from '../../../language/contract/subscription.ts';
import { isOwnComputer, webhookUrlProblem } from '../../../language/contract/webhook-url.ts';
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import type { Report } from '../../../language/diagnostics/diagnostic.ts';
import type { Delivery, StoreValue } from '../../syntax/ast.ts';

/** Secrets that sign at the same time, while one replaces the other. */
const mostSecrets = 2;

/** DELIVER TO WEBHOOK: nothing secret is part of the text, and no request lacks a signature, except to this computer. */
export function checkDelivery({ url, secrets, span }: Delivery, report: Report): WebhookTarget | undefined {
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
