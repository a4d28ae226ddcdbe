import type { Type, Value } from '../../../language/values/type.ts';
import { printValue } from '../../../language/values/cast.ts';
import { htmlCell } from './html-text.ts';

/** Characters of a value that a page shows; the others are counted. */
const shown = 2_000;

/** A value as a cell of a table. NULL differs from the empty text and from the text `NULL`, and no value is a link. */
export function cellHtml(value: Value, type: Type): string {
  const kind = cellClass(type);
  if (value === null) return `<td class="${kind === 'n' ? 'n null' : 'null'}">NULL</td>`;
  const content = shortened(printValue(value, type));
  return kind === undefined ? `<td>${content}</td>` : `<td class="${kind}">${content}</td>`;
}

/** Numbers are aligned to the right, values in a notation have its letters. */
export function cellClass({ kind }: Type): 'n' | 'code' | undefined {
  switch (kind) {
    case 'INT':
    case 'BIGINT':
    case 'DECIMAL':
    case 'DOUBLE':
      return 'n';
    case 'JSON':
    case 'LIST':
    case 'STRUCT':
      return 'code';
    default:
      return undefined;
  }
}

function shortened(text: string): string {
  if (text.length <= shown) return htmlCell(text);
  // Half of a character beyond the basic plane would be shown as a fault of the data.
  const kept = text.slice(0, shown).replace(/[\ud800-\udbff]$/, '');
  const more = (text.length - kept.length).toLocaleString('en');
  return `${htmlCell(kept)}<span class="more"> … and ${more} more characters</span>`;
}
