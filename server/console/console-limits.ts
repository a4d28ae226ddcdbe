import { defaultHttpLimits, type HttpLimits } from '../http/settings.ts';

/** How much a console query may be and take (http-details.md section 7); `WITH RECURSIVE` is off whatever is configured. */
export interface ConsoleLimits extends Pick<HttpLimits, 'consoleResultBytes'> {
  /** Reading a text and running it share the time. */
  readonly consoleMilliseconds: number;
  readonly consoleRows: number;
  /** What SQLite takes for a query beside the tables: those that it makes for itself, and its values. */
  readonly consoleMemoryBytes: number;
  readonly consoleColumns: number;
  /** Queries at once. */
  readonly consoleQueries: number;
  /** Queries that may wait behind those. */
  readonly consoleWaiting: number;
  readonly queryDepth: number;
  readonly queryJoins: number;
  readonly queryCommonTables: number;
  readonly querySetOperations: number;
  readonly queryListItems: number;
}

/** What holds where the configuration says nothing. */
export const defaultConsoleLimits: ConsoleLimits = {
  consoleMilliseconds: 1_000,
  consoleRows: 10_000,
  consoleResultBytes: defaultHttpLimits.consoleResultBytes,
  consoleMemoryBytes: 256 * 1024 * 1024,
  consoleColumns: 100,
  consoleQueries: 2,
  consoleWaiting: 8,
  queryDepth: 64,
  queryJoins: 16,
  queryCommonTables: 16,
  querySetOperations: 16,
  queryListItems: 1_000,
};
