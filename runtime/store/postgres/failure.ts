import { JournalFailure } from '../journal.ts';
import { meaningOf, sqlStateOf, type Meaning } from './sql-state.ts';
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
