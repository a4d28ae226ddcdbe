/** Where in a query a failure of an expression occurred, as far as it was found, and as readers of the query name it. */
import type { Column } from '../../language/contract/query.ts';
import { Failure } from '../../language/failure/failure.ts';
import { isSqliteInteger } from '../../language/sqlite/value.ts';
import type { TextPlace } from '../../language/sqlite/placed-calls.ts';
import { printValue } from '../../language/values/cast.ts';
import { isLongerThan } from '../../language/values/text.ts';

export interface FailedAt {
  /** The cells of the row before the one that failed, as SQLite's text. */
  readonly before?: readonly (string | null)[];
  /** The expression that failed, in the text that the query was compiled from. */
  readonly place?: TextPlace;
}

/** A failure of the data that a query met. */
export class QueryFailure extends Failure {
  readonly at: FailedAt;
  constructor({ code, message }: Pick<Failure, 'code' | 'message'>, at: FailedAt) {
    super(code, message);
    this.at = at;
  }
}

/** The place of a failure in the text of its query, if it was found. */
export function placeInText(failure: Failure): TextPlace | undefined {
  return failure instanceof QueryFailure ? failure.at.place : undefined;
}

/** Columns that name a row, at most, and characters of a value that does. */
const [mostColumns, mostCharacters] = [2, 60];

/** The failure with its column in the message, and with what shows the row: the first columns before it that no reader sees masked. */
export function namingCell(error: unknown, columns: readonly Column[], shows: 'row' | 'column'): unknown {
  if (!(error instanceof QueryFailure)) return error;
  const { before, ...at } = error.at;
  const failed = before && columns[before.length];
  if (before === undefined || failed === undefined) return error;
  const parts =
    shows === 'column' ? [] : columns.slice(0, before.length).flatMap((column, at) => named(column, before[at]));
  const row = parts.length === 0 ? '' : ` of the row with ${parts.slice(0, mostColumns).join(' and ')}`;
  return new QueryFailure({ code: error.code, message: `${error.message}, column '${failed.name}'${row}` }, at);
}

/** Columns whose names begin with `$` are the facts of a delivered row, which its reader gets in another form. */
function named({ name, type, sensitive }: Column, cell: string | null | undefined): readonly string[] {
  if (
    sensitive ||
    name.startsWith('$') ||
    cell === undefined ||
    cell === null ||
    ['LIST', 'STRUCT', 'JSON', 'DOUBLE'].includes(type.kind)
  )
    return [];
  const value = type.kind === 'BOOLEAN' ? cell === '1' : isSqliteInteger(type) ? BigInt(cell) : cell;
  const text = printValue(type.kind === 'INT' || type.kind === 'DATE' ? Number(cell) : value, type);
  return isLongerThan(text, mostCharacters) ? [] : [`${name} ${JSON.stringify(text)}`];
}
