/** The row and column of a failure of an expression, as its query and its readers name them. */
import type { Column } from '../../language/contract/query.ts';
import { Failure } from '../../language/failure/failure.ts';
import { isSqliteInteger } from '../../language/sqlite/value.ts';
import { printValue } from '../../language/values/cast.ts';
import { isLongerThan } from '../../language/values/text.ts';

/** The cells of the row before the one that failed, as SQLite's text. */
export interface FailedCell {
  readonly before: readonly (string | null)[];
}

/** A failure at a cell of a result. */
export class CellFailure extends Failure {
  readonly cell: FailedCell;
  constructor(failure: Pick<Failure, 'code' | 'message'>, cell: FailedCell) {
    super(failure.code, failure.message);
    this.cell = cell;
  }
}

/** Columns that name a row, at most, and characters of a value that does. */
const [mostColumns, mostCharacters] = [2, 60];

/** The failure with its column in the message, and with what shows the row: the first columns before it that no reader sees masked. */
export function namingCell(error: unknown, columns: readonly Column[], shows: 'row' | 'column'): unknown {
  if (!(error instanceof CellFailure)) return error;
  const { before } = error.cell;
  const failed = columns[before.length];
  if (failed === undefined) return error;
  const parts =
    shows === 'column' ? [] : columns.slice(0, before.length).flatMap((column, at) => named(column, before[at]));
  const row = parts.length === 0 ? '' : ` of the row with ${parts.slice(0, mostColumns).join(' and ')}`;
  return new Failure(error.code, `${error.message}, column '${failed.name}'${row}`);
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
