import { inspect } from 'node:util';

/** The log interface of the HTTP layer. The field `err` may be anything that was thrown; the others are texts, numbers and booleans. */
export interface Log {
  readonly debug: (fields: object, message: string) => void;
  readonly info: (fields: object, message: string) => void;
  readonly warn: (fields: object, message: string) => void;
  readonly error: (fields: object, message: string) => void;
}

const levels = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof levels)[number];

/**
 * A structured log: one JSON object per line, or one readable line each with `pretty`. It never receives a body, a token or a query string.
 * Lines are made by `JSON.stringify`, since a library that makes each member by itself takes a twentieth of a command for the line of its
 * request (docs/performance/commands.md).
 */
export function createLog({
  write,
  level: least,
  pretty,
}: {
  readonly write: (text: string) => void;
  readonly level: LogLevel;
  readonly pretty: boolean;
}): Log {
  const time = isoTime();
  const at = (level: LogLevel): Log['info'] => {
    if (levels.indexOf(level) < levels.indexOf(least)) return () => undefined;
    return (fields, message) => {
      const line = `{"level":"${level}",${time()}${membersOf(fields)},"msg":${JSON.stringify(message)}}\n`;
      write(pretty ? prettyLine(line) : line);
    };
  };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

/** The members of a line, each with a comma before it. */
function membersOf(fields: object): string {
  const text = JSON.stringify('err' in fields ? { ...fields, err: describedError(fields.err) } : fields);
  return text === '{}' ? '' : `,${text.slice(1, -1)}`;
}

/** Makes a text, because an error may hold anything: its causes, and objects that hold each other. */
function describedError(thrown: unknown): object {
  const stack = inspect(thrown);
  return thrown instanceof Error ? { type: thrown.constructor.name, message: thrown.message, stack } : { stack };
}

/** Lines of the same millisecond share one text of it: to print a time costs as much as the rest of a line. */
function isoTime(): () => string {
  let [at, text] = [NaN, ''];
  return () => {
    const now = Date.now();
    if (now !== at) [at, text] = [now, `"time":"${new Date(now).toISOString()}"`];
    return text;
  };
}

/**
 * A JSON log line in readable form: time, level, message, then the other fields. No text in it moves a terminal's cursor or turns its
 * direction.
 */
function prettyLine(line: string): string {
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
