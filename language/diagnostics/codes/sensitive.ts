import { error } from '../define.ts';

/** E07xx: SENSITIVE values where they must not go (docs/language.md#sensitive-values). */
export const sensitive = {
  E0701: error<{ field: string; source: string }>(
    (p) => `field '${p.field}' is not SENSITIVE and cannot take a value that derives from ${p.source}`,
  ),
  E0702: error<{ column: string; where: string }>(
    (p) => `'${p.column}' is sensitive and not allowed in ${p.where}; it can only be selected, and is masked`,
  ),
  E0703: error<{ aggregate: string }>((p) => `a sensitive value cannot name a stream of '${p.aggregate}'`),
} as const;
