/** An item of a list: a text in double quotes and the rest up to the comma, or a plain text. */
export interface ListItem {
  readonly quoted?: string;
  readonly rest: string;
}

/**
 * The items of a list as the fields of a CSV line (RFC 4180), without trimming: `a,"b,c"`; an empty list is one empty text. Undefined if a
 * quote is not closed.
 */
export function readItems(list: string): readonly ListItem[] | undefined {
  const items: ListItem[] = [];
  let at = 0;
  for (;;) {
    let quoted: string | undefined;
    if (list[at] === '"') {
      const end = endOfQuote(list, at);
      if (end === undefined) return undefined;
      quoted = list.slice(at + 1, end).replaceAll('""', '"');
      at = end + 1;
    }
    const comma = list.indexOf(',', at);
    const rest = list.slice(at, comma === -1 ? undefined : comma);
    items.push(quoted === undefined ? { rest } : { quoted, rest });
    if (comma === -1) return items;
    at = comma + 1;
  }
}

/** The place of the closing quote; two quotes inside are one. */
function endOfQuote(text: string, start: number): number | undefined {
  for (let at = start + 1; ; at += 2) {
    at = text.indexOf('"', at);
    if (at === -1) return undefined;
    if (text[at + 1] !== '"') return at;
  }
}
