import type { CommandRow, FieldTypes } from './rows.ts';

/** Where commands are executed: a server, or a store that no server owns. */
export interface Target {
  readonly types: FieldTypes;
  /** The row's events, rejection or error, in order, as they are durable. After `enough` no further rows are taken. */
  readonly execute: (rows: AsyncIterable<readonly CommandRow[]>) => {
    readonly answers: AsyncIterable<readonly AnswerRow[]>;
    readonly enough: () => void;
  };
}

export interface AnswerRow {
  /** The row that it answers, from 1 in the order of the rows. */
  readonly row: number;
  readonly status: 'success' | 'rejected' | 'error';
  readonly replayed: boolean;
  /** Text of an error. */
  readonly message?: string;
}
