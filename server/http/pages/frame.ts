import { htmlText } from './html-text.ts';
import { style } from '../wire/style.ts';

/** The beginning of a page, up to its content; `title` is text, `below` HTML that follows the heading. */
export function pageHead(site: string, title: string, below: string): string {
  const home = `<nav><a href="/">${htmlText(site)}</a></nav>`;
  return (
    `<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n` +
    `<meta name="viewport" content="width=device-width, initial-scale=1">\n` +
    `<title>${htmlText(title)} · ${htmlText(site)}</title>\n<style>${style}</style>\n</head>\n<body>\n` +
    `<header>${home}<h1>${htmlText(title)}</h1>${below}</header>\n<main>\n`
  );
}

/** The end of a page; `below` is HTML that follows the content. */
export function pageTail(below = ''): string {
  return `</main>\n${below === '' ? '' : `<footer>${below}</footer>\n`}</body>\n</html>\n`;
}

/** A table of cells that are HTML, without a head if there are no heads. */
export function smallTable(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[], tag: 'td' | 'th'): string =>
    `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>\n`;
  const head = heads.length === 0 ? '' : `<thead>${line(heads, 'th')}</thead>\n`;
  return `<table>\n${head}<tbody>\n${rows.map((row) => line(row, 'td')).join('')}</tbody>\n</table>\n`;
}
