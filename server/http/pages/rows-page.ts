/** A table as a page: some rows, and a link to those after them (docs/http.md#in-a-browser). */
import type { Column } from '../../../language/contract/query.ts';
import { typeName } from '../../../language/values/type.ts';
import type { Row } from '../../../runtime/store/store.ts';
import { Problem } from '../wire/problem.ts';
import type { ReadParameters } from '../parameters/read-parameters.ts';
import type { Answer, Route } from '../route.ts';
import { textStream, type TextForm } from '../representation/text-stream.ts';
import type { Representation } from '../representation/representation.ts';
import { decodeText } from '../request/query-string.ts';
import { cellClass, cellHtml } from './cell.ts';
import { pageHead, pageTail } from './frame.ts';
import { htmlCell, htmlText } from './html-text.ts';

/** Rows of a page without `limit`, and with the largest one. */
const usualRows = 200;
const mostRows = 10_000;

/** The page of a request. */
export interface RowsPage {
  /** Parameters of the request with the rows of the page, and one more row, which tells whether there are others. */
  readonly parameters: ReadParameters;
  /** The form of an answer with these rows. A result without pages that has too many rows for one is refused. */
  readonly of: (answer: Answer) => Representation;
}

/** A page of the interface `site`. A `limit` past the most rows of a page is refused. */
export function rowsPage(
  route: Route,
  site: string,
  { path, querystring }: { readonly path: string; readonly querystring: string },
  parameters: ReadParameters,
): RowsPage {
  const isPaged = route.query.includes('limit');
  const { limit = isPaged ? usualRows : mostRows, offset = 0, after, order } = parameters;
  if (limit > mostRows) {
    const message = tooManyRows(`parameter 'limit' is ${limit}`);
    throw new Problem('H4003', message, {}, [{ field: 'limit', message }]);
  }
  const byPosition = route.query.includes('after') && order.length === 0;
  const next = (columns: readonly Column[], last: Row): string => {
    const at = byPosition ? columns.findIndex(({ name }) => name === 'global_position') : -1;
    if (at === -1) return otherPage(querystring, `offset=${offset + limit}`, ['offset']);
    const position = last[at] as bigint; // as every global_position
    return otherPage(querystring, `after=${position}`, places);
  };
  const from = [
    ...(after === undefined ? [] : [` after position ${after}`]),
    ...(offset === 0 ? [] : [` from row ${offset + 1} on`]),
  ].join('');
  const frame: Frame = {
    site,
    path,
    limit,
    from,
    first: from === '' ? undefined : otherPage(querystring, undefined, places),
    next: isPaged && limit > 0 ? next : undefined,
  };
  return {
    parameters: isPaged ? { ...parameters, limit: limit + 1 } : parameters,
    of: (answer) => {
      const known = answer.kind === 'table' ? answer.table.rows : undefined;
      if (!isPaged && known !== undefined && known.length > limit)
        throw new Problem('H4007', tooManyRows(`the result has ${known.length} rows`));
      return pageForm({ ...frame, known, total: answer.total });
    },
  };
}

function tooManyRows(what: string): string {
  return `${what}, and a page shows at most ${mostRows} rows; ask for JSON, CSV or Arrow`;
}

interface Frame {
  /** The name of the server's interface. */
  readonly site: string;
  /** The path as it was requested. */
  readonly path: string;
  readonly limit: number;
  /** Where its rows begin, for people; empty for the first page. */
  readonly from: string;
  /** The link to the first page, if it is another one. */
  readonly first: string | undefined;
  /** The link to the rows after the last one; undefined if the route has no pages. */
  readonly next: ((columns: readonly Column[], last: Row) => string) | undefined;
}

interface Page extends Frame {
  /** Its rows and the one after them, if all are read before the page begins. */
  readonly known: readonly Row[] | undefined;
  /** The number of rows of all pages, if the caller asked for it. */
  readonly total: number | undefined;
}

const places: readonly string[] = ['offset', 'after'];

/** The query with another place: a link within the path, whatever the query holds. */
function otherPage(query: string, place: string | undefined, replaced: readonly string[]): string {
  const kept = query
    .split('&')
    .filter((part) => part !== '' && !replaced.includes(decodeText(part.split('=', 1)[0] ?? '') ?? ''));
  return `?${[...kept, ...(place === undefined ? [] : [place])].join('&')}`;
}

function pageForm(page: Page): Representation {
  return {
    name: 'page',
    contentType: 'text/html',
    whole: ({ columns, rows }) => {
      const { head, batch, tail } = rowsForm(page, columns);
      return head + batch(rows, true) + tail();
    },
    stream: (columns, batches) => textStream(rowsForm(page, columns), batches),
  };
}

/** The link to the next page is below the rows, and above them too if all rows are known. */
function rowsForm(page: Page, columns: readonly Column[]): TextForm {
  const types = columns.map(({ type }) => type);
  const line = (row: Row): string => `<tr>${types.map((type, at) => cellHtml(row[at] ?? null, type)).join('')}</tr>\n`;
  let left = page.limit;
  let last: Row | undefined;
  let link = '';
  return {
    head: pageHead(page.site, page.path, aboveRows(page, columns)) + tableHead(columns),
    batch: (rows) => {
      const shown = rows.slice(0, left);
      left -= shown.length;
      last = shown.at(-1) ?? last;
      if (rows.length > shown.length && last !== undefined) link = nextLink(page, columns, last);
      return shown.map(line).join('');
    },
    tail: () => `</tbody>\n</table>\n${pageTail(link === '' ? '' : `<p>${link}</p>`)}`,
  };
}

function aboveRows(page: Page, columns: readonly Column[]): string {
  const { limit, from, first, known, total } = page;
  const rows = Math.min(known?.length ?? limit, limit);
  // The row after the page is there only if there are more.
  const last = known === undefined || known.length <= limit ? undefined : known[limit - 1];
  const words = [
    `${known === undefined ? 'At most ' : ''}${rows.toLocaleString('en')} ${rows === 1 ? 'row' : 'rows'}${from}`,
    ...(total === undefined ? [] : [`${total.toLocaleString('en')} in all`]),
    ...(last === undefined ? [] : ['there are more']),
  ];
  const links = [
    ...(first === undefined ? [] : [`<a href="${htmlText(first)}">first page</a>`]),
    ...(last === undefined ? [] : [nextLink(page, columns, last)]),
  ].filter((each) => each !== '');
  return `<p>${[words.join(', '), ...links].join(' · ')}</p>`;
}

function nextLink({ next }: Frame, columns: readonly Column[], last: Row): string {
  return next === undefined ? '' : `<a rel="next" href="${htmlText(next(columns, last))}">next page</a>`;
}

function tableHead(columns: readonly Column[]): string {
  const heads = columns.map(({ name, type }) => {
    const kind = type.kind === 'STRUCT' ? 'STRUCT' : typeName(type);
    const own = cellClass(type) === 'n' ? ' class="n"' : '';
    return `<th${own}>${htmlCell(name)}<small>${htmlText(kind)}</small></th>`;
  });
  return `<table>\n<thead><tr>${heads.join('')}</tr></thead>\n<tbody>\n`;
}
