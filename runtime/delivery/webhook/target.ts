import type { SubscriptionDefinition } from '../../../language/contract/subscription.ts';
import { isOwnComputer, webhookUrlProblem } from '../../../language/contract/webhook-url.ts';
import { readSecret } from './signature.ts';

/** The address of a webhook, and the keys that sign, the newest first. */
export interface Target {
  readonly url: URL;
  readonly keys: readonly Uint8Array[];
}

/** Reads address and secrets from the environment; the problem if something is missing there. No value of it is part of a message. */
export function findTarget(
  { webhook }: Pick<SubscriptionDefinition, 'webhook'>,
  environment: Readonly<Record<string, string | undefined>>,
  { loopback }: { readonly loopback: boolean },
): Target | { readonly problem: string } {
  if (webhook === undefined) return { problem: 'it has no DELIVER TO WEBHOOK' };
  const { url: written } = webhook;
  const text = typeof written === 'string' ? written : (environment[written.env] ?? '');
  const named = typeof written === 'string' ? 'the webhook' : `the variable ${written.env} of the environment`;
  if (text === '') return { problem: `${named} is not set` };
  const problem = webhookUrlProblem(text);
  if (problem !== undefined) return { problem: `${named} ${problem}` };
  const url = new URL(text);
  const keys: Uint8Array[] = [];
  for (const { env } of webhook.secrets) {
    const value = environment[env] ?? '';
    const key = readSecret(value);
    const takes = 'whsec_ and base64 of 24 to 64 bytes';
    if (value === '') return { problem: `the variable ${env} of the environment is not set; it takes ${takes}` };
    if (key === undefined) return { problem: `the variable ${env} of the environment takes ${takes}` };
    keys.push(key);
  }
  if (keys.length === 0 && !(loopback && isOwnComputer(url)))
    return { problem: "it needs SECRET ENV('NAME'); only dev sends without a signature, to this computer" };
  return { url, keys };
}
