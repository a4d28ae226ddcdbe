/** `://user:` after the scheme of a URL, before a password. */
const userInUrl = /:\/\/(?<=[a-z][a-z0-9+.-]*:\/\/)[^\s'":@/]*:/gi;
/** The password, up to the `@` after it, if there is one; in a string literal a quote is doubled. */
const passwordInUrl = /(?:[^\s'@]|'')+/y;
const passwordParameter = /([?&](?:password|passwd|pwd|pass|secret|token)=)(?:[^\s'&]|'')+/gi;

/**
 * A text whose URLs show `****` for their passwords, which are never printed (docs/language.md#event-store). They are not part of the
 * registry, so that no DESCRIBE, EXPORT, log or generated file can contain them. Secrets belong in `ENV('VARIABLE')`. Takes time in
 * proportion to the length of the text.
 */
export function withoutPasswords(text: string): string {
  return withoutUrlPasswords(text).replaceAll(passwordParameter, '$1****');
}

function withoutUrlPasswords(text: string): string {
  let shown = '';
  let copied = 0;
  let searched = 0;
  for (const { 0: user, index } of text.matchAll(userInUrl)) {
    if (index < searched) continue;
    const start = index + user.length;
    searched = passwordEnd(text, start);
    // Where no `@` follows, none follows a later user within the same run of characters either.
    if (searched === start || text.charAt(searched) !== '@') continue;
    shown += `${text.slice(copied, start)}****`;
    copied = searched;
  }
  return shown + text.slice(copied);
}

function passwordEnd(text: string, start: number): number {
  passwordInUrl.lastIndex = start;
  return passwordInUrl.test(text) ? passwordInUrl.lastIndex : start;
}
