/** `scheme://user:` before a password, and the `@` after it; in a string literal a quote is doubled. */
const passwordInUrl = /([a-z][a-z0-9+.-]*:\/\/[^\s'":@/]*:)(?:[^\s'@]|'')+@/gi;
const passwordParameter = /([?&](?:password|passwd|pwd|pass|secret|token)=)(?:[^\s'&]|'')+/gi;

/**
 * A text whose URLs show `****` for their passwords, which are never printed (docs/language.md#event-store). They are not part of the
 * registry, so that no DESCRIBE, EXPORT, log or generated file can contain them. Secrets belong in `ENV('VARIABLE')`.
 */
export function withoutPasswords(text: string): string {
  return text.replaceAll(passwordInUrl, '$1****@').replaceAll(passwordParameter, '$1****');
}
