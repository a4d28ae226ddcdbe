/**
 * A JSON log line in readable form: time, level, message, then the other fields. No text in it moves a terminal's cursor or turns its
 * direction.
 */
export function prettyLine(line: string): string {
  const { time, level, msg, ...fields } = JSON.parse(line) as Readonly<Record<string, unknown>>;
  const clock = String(time).slice(11, 23);
  const rest = Object.entries(fields).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? plain(value) : JSON.stringify(value)}`,
  );
  return `${escaped([clock, String(level).toUpperCase().padEnd(5), String(msg), ...rest].join(' '))}\n`;
}

/** Quoted if it would not read as one word. */
function plain(text: string): string {
  return /^[\x21-\x7e]+$/.test(text) ? text : JSON.stringify(text);
}

/** JSON leaves the controls from U+007F on and the directions of Unicode as they are, and a message is no JSON. */
function escaped(text: string): string {
  return text.replaceAll(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu,
    (sign) => `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
