/** A caller's text for a message: short, and without characters that could corrupt a log or a terminal. */
export function quoted(text: string): string {
  const shown = text.replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, '\ufffd');
  return `'${shown.length > 60 ? `${shown.slice(0, 60)}…` : shown}'`;
}
