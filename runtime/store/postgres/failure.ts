import { JournalFailure } from '../journal.ts';
import type { Target } from './target.ts';

/** A failure of the database; its text contains no password. */
export class DatabaseFailure extends JournalFailure {
  readonly meaning: Meaning;
  /** Absent when the server sent no answer. */
  readonly state: string | undefined;
  constructor(reason: string, meaning: Meaning, state?: string) {
    super({ reason, heals: meaning !== 'refused' });
    this.name = 'DatabaseFailure';
    this.meaning = meaning;
    this.state = state;
  }
}

/** Any error of the driver as a failure of the log. */
export function databaseFailure(error: unknown, { shown, conceal }: Target): DatabaseFailure {
  if (error instanceof DatabaseFailure) return error;
  const state = sqlStateOf(error);
  const said = conceal(sentenceOf(error));
  if (state !== undefined)
    return new DatabaseFailure(`the database ${shown} says: ${said} (${state})`, meaningOf(state), state);
  return new DatabaseFailure(`the database ${shown} cannot be reached: ${said}`, 'away');
}

/** An error of several attempts, as for a host with two addresses, has no text of its own. */
function sentenceOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(sentenceOf).join(', ');
  return error instanceof Error ? error.message : String(error);
}

/**
 * Meaning of an error of PostgreSQL for the log, by SQLSTATE (https://www.postgresql.org/docs/current/errcodes-appendix.html).
 * - `again`: the database has undone the statement because of another one; the same statement can be sent again.
 * - `away`: the database does not work now, and may work later without a change by a person.
 * - `refused`: it would refuse the same statement again, so that a person must look.
 */
type Meaning = 'again' | 'away' | 'refused';

/** Single states, which win over their class. */
const states: Readonly<Record<string, Meaning>> = {
  '40001': 'again', // serialization_failure
  '40P01': 'again', // deadlock_detected
  '25006': 'away', // read_only_sql_transaction: a fail-over has made this server a replica
  '25P03': 'away', // idle_in_transaction_session_timeout
  '25P04': 'away', // transaction_timeout
  '55P03': 'away', // lock_not_available
  '55000': 'away', // object_not_in_prerequisite_state
  '57014': 'away', // query_canceled, also by statement_timeout
  '57P05': 'away', // idle_session_timeout
  '3D000': 'refused', // invalid_catalog_name: the database does not exist
  XX001: 'refused', // data_corrupted
  XX002: 'refused', // index_corrupted
};

const classes: Readonly<Record<string, Meaning>> = {
  '08': 'away', // connection exception
  '28': 'away', // invalid authorization: a password may be changed on both sides
  '40': 'away', // transaction rollback, also with an unknown outcome (40003)
  '53': 'away', // insufficient resources: connections, memory, disk
  '57': 'away', // operator intervention: shutdown, crash, starting up
  '58': 'away', // system error
  XX: 'away', // internal error, also of a pooler
};

function meaningOf(state: string): Meaning {
  return states[state] ?? classes[state.slice(0, 2)] ?? 'refused';
}

/** The SQLSTATE of an error, if the server sent one. Errors of the network have codes such as ECONNREFUSED. */
function sqlStateOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  const { code } = error;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && 'severity' in error ? code : undefined;
}
