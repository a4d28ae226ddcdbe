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
}

function count(key: string, name: keyof SubscriptionOptions, least: number, most: number): Option {
  const read = (value: StoreValue): number | undefined => {
    const number = value.type === 'number' ? Number(value.text) : NaN;
    return Number.isInteger(number) && number >= least && number <= most ? number : undefined;
  };
  return { key, name, takes: `a whole number from ${least} to ${most}`, read };
}

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
];

const defaults: SubscriptionOptions = {
  attempts: 10,
  onFailure: 'park',
  leaseSeconds: 30,
  maxOut: 10_000,
  firstDelaySeconds: 1,
  longestDelaySeconds: 3600,
};

/** The options as given, the others by default. */
export function checkOptions(options: readonly StoreOption[], report: Report): SubscriptionOptions {
  const given: Partial<Record<keyof SubscriptionOptions, number | string>> = {};
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
    if (value === undefined) report(diagnose('E1107', option.span, { key, takes: found.takes }));
    else given[found.name] = value;
  }
  return { ...defaults, ...(given as Partial<SubscriptionOptions>) }; // each option reads the type of its own member
}
