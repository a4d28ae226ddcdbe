import { pino, type DestinationStream } from 'pino';
import { prettyLine } from './pretty-line.ts';

/** The log interface of the HTTP layer; a pino logger implements it. */
export interface Log {
  readonly debug: (fields: object, message: string) => void;
  readonly info: (fields: object, message: string) => void;
  readonly warn: (fields: object, message: string) => void;
  readonly error: (fields: object, message: string) => void;
}

export type LogLevel = 'silent' | 'error' | 'warn' | 'info' | 'debug';

/** A structured log: one JSON object per line, or one readable line each with `pretty`. It never receives a body, a token or a query string. */
export function createLog(options: {
  readonly write: (text: string) => void;
  readonly level: LogLevel;
  readonly pretty: boolean;
}): Log {
  const destination: DestinationStream = {
    write: (line) => options.write(options.pretty ? prettyLine(line) : line),
  };
  return pino(
    {
      level: options.level,
      base: null,
      timestamp: isoTime(),
      formatters: { level: (level) => ({ level }) },
    },
    destination,
  );
}

/** Lines of the same millisecond share one text of it: to print a time costs as much as the rest of a line. */
function isoTime(): () => string {
  let [at, text] = [NaN, ''];
  return () => {
    const now = Date.now();
    if (now !== at) [at, text] = [now, `,"time":"${new Date(now).toISOString()}"`];
    return text;
  };
}
