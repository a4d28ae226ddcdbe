/** A caller's text in a message: short, and without characters that could reshape a log or a terminal. */
export function quoted(text: string): string {
  const shown = text.replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, '\ufffd');
  return `'${shown.length > 60 ? `${shown.slice(0, 60)}…` : shown}'`;
}
