import type { SubscriptionOptions } from '../../../language/contract/subscription.ts';
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import type { Report } from '../../../language/diagnostics/diagnostic.ts';
import { nearestNames } from '../../../language/diagnostics/suggestion.ts';
import type { StoreOption, StoreValue } from '../../syntax/ast.ts';

interface Option {
  readonly key: string;
  readonly name: keyof SubscriptionOptions;
  readonly takes: string;
  /** The value in the definition; undefined if it is refused. */
  readonly read: (value: StoreValue) => number | string | undefined;
  readonly webhookOnly?: true;
}

function count(key: string, name: keyof SubscriptionOptions, least: number, most: number, more: object = {}): Option {
  const read = (value: StoreValue): number | undefined => {
    const number = value.type === 'number' ? Number(value.text) : NaN;
    return Number.isInteger(number) && number >= least && number <= most ? number : undefined;
  };
  return { key, name, takes: `a whole number from ${least} to ${most}`, read, ...more };
}

const webhookOnly = { webhookOnly: true } as const;

/** All options of a subscription (docs/language.md#subscription). */
export const subscriptionOptions: readonly Option[] = [
  count('attempts', 'attempts', 1, 1000),
  {
    key: 'on_failure',
    name: 'onFailure',
    takes: "'park' or 'wait'",
    read: (value) =>
      value.type === 'string' && (value.text === 'park' || value.text === 'wait') ? value.text : undefined,
  },
  count('lease_seconds', 'leaseSeconds', 1, 3600),
  count('max_out', 'maxOut', 1, 10_000),
  count('first_delay_seconds', 'firstDelaySeconds', 0, 86_400),
  count('longest_delay_seconds', 'longestDelaySeconds', 0, 86_400),
  count('keys_at_once', 'keysAtOnce', 1, 64, webhookOnly),
  count('timeout_seconds', 'timeoutSeconds', 1, 30, webhookOnly),
  count('give_up_hours', 'giveUpHours', 1, 720, webhookOnly),
];

const defaults: SubscriptionOptions = {
  attempts: 10,
  onFailure: 'park',
  leaseSeconds: 30,
  maxOut: 10_000,
  keysAtOnce: 8,
  timeoutSeconds: 15,
  firstDelaySeconds: 1,
  longestDelaySeconds: 3600,
  giveUpHours: 72,
};

/** The options as given, the others by default: a webhook tries a row twice as often. */
export function checkOptions(options: readonly StoreOption[], isWebhook: boolean, report: Report): SubscriptionOptions {
  const given: Partial<Record<keyof SubscriptionOptions, number | string>> = isWebhook ? { attempts: 20 } : {};
  const seen = new Set<string>();
  const known = subscriptionOptions.map(({ key }) => key);
  for (const option of options) {
    const key = option.key.text.toLowerCase();
    const found = subscriptionOptions.find((candidate) => candidate.key === key);
    if (seen.has(key)) report(diagnose('E0805', option.key.span, { key }));
    seen.add(key);
    if (found === undefined) {
      report(diagnose('E1106', option.key.span, { key: option.key.text, nearest: nearestNames(key, known), known }));
      continue;
    }
    const value = found.read(option.value);
    if (found.webhookOnly === true && !isWebhook)
      report(diagnose('E1107', option.span, { key, takes: 'effect only with DELIVER TO WEBHOOK' }));
    else if (value === undefined) report(diagnose('E1107', option.span, { key, takes: found.takes }));
    else given[found.name] = value;
  }
  return { ...defaults, ...(given as Partial<SubscriptionOptions>) }; // each option reads the type of its own member
}
