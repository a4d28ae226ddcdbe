/** One JSON log line in readable form: time, level, message, then the other fields. */
export function prettyLine(line: string): string {
  const { time, level, msg, ...fields } = JSON.parse(line) as Readonly<Record<string, unknown>>;
  const clock = String(time).slice(11, 23);
  const rest = Object.entries(fields).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? plain(value) : JSON.stringify(value)}`,
  );
  return `${[clock, String(level).toUpperCase().padEnd(5), String(msg), ...rest].join(' ')}\n`;
}

/** Quoted if it would not read as one word, or could move a terminal's cursor. */
function plain(text: string): string {
  return /^[\x21-\x7e]+$/.test(text) ? text : JSON.stringify(text);
}
