import { differenceCodes, type Difference } from '../../compiler/index.ts';
import { nearestNames, suggestion } from '../../language/diagnostics/suggestion.ts';
import { usageFault } from '../exit-fault.ts';
import type { Flags } from '../settings/settings.ts';

/** Whether `--allow CODE` or `--allow CODE:Block` lets a difference pass that breaks something. */
export type IsAllowed = (difference: Difference) => boolean;

export function readAllowed(words: readonly string[]): IsAllowed {
  const rules = words.map((word) => {
    const [code = '', block] = word.split(':');
    if (!Object.hasOwn(differenceCodes, code)) {
      const nearest = nearestNames(code, Object.keys(differenceCodes));
      throw usageFault(
        `--allow ${word}: there is no code '${code}'${suggestion(nearest)}; schemac diff --json shows the codes`,
      );
    }
    return { code, block };
  });
  return ({ code, block }) =>
    rules.some((rule) => rule.code === code && (rule.block === undefined || block.endsWith(` ${rule.block}`)));
}

/** The words of `--allow`, which may be repeated. */
export function allowFlags({ allow }: Flags): readonly string[] {
  return Array.isArray(allow) ? allow.map(String) : [];
}
