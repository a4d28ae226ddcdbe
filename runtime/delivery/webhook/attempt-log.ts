/**
 * Attempts to deliver the rows of a webhook, as far as this process remembers: the last attempts of all, and the last of each row that
 * failed.
 */

/** A request that was made, or refused. */
export interface Attempt {
  readonly position: number;
  readonly attempt: number;
  /** ms since 1970. */
  readonly at: number;
  readonly milliseconds: number;
  /** Undefined without an answer. */
  readonly status: number | undefined;
  readonly error: string | undefined;
}

export interface AttemptLog {
  readonly add: (tried: Attempt, isDelivered: boolean) => void;
  /** The last attempts, the newest last. */
  readonly recent: () => readonly Attempt[];
  /** The last attempts of each row that has failed and was not delivered since, the newest last. */
  readonly byRow: () => ReadonlyMap<number, readonly Attempt[]>;
}

const mostAttempts = 100;
const mostOfRow = 10;
/** Maximum number of rows; those whose last attempt is the oldest are forgotten beyond it. */
const mostRows = 1000;

export function createAttemptLog(): AttemptLog {
  const recent: Attempt[] = [];
  const rows = new Map<number, Attempt[]>();
  return {
    add: (tried, isDelivered) => {
      recent.push(tried);
      if (recent.length > mostAttempts) recent.shift();
      const { position } = tried;
      const before = rows.get(position) ?? [];
      rows.delete(position);
      if (isDelivered) return;
      rows.set(position, [...before, tried].slice(-mostOfRow));
      const [oldest] = rows.keys();
      if (rows.size > mostRows && oldest !== undefined) rows.delete(oldest);
    },
    recent: () => recent,
    byRow: () => rows,
  };
}
