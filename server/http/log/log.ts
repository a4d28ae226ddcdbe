import { pino, type DestinationStream } from 'pino';
import { prettyLine } from './pretty-line.ts';

/** What the HTTP layer writes its log through; a pino logger is one. */
export interface Log {
  readonly debug: (fields: object, message: string) => void;
  readonly info: (fields: object, message: string) => void;
  readonly warn: (fields: object, message: string) => void;
  readonly error: (fields: object, message: string) => void;
}

export type LogLevel = 'silent' | 'error' | 'warn' | 'info' | 'debug';

/**
 * A structured log: a JSON object a line, or one readable line each where `pretty`. Nothing is ever handed to it that holds a
 * body, a token or a query string.
 */
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
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
    },
    destination,
  );
}
