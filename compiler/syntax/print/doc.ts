/**
 * Layout: documents that may be written on one line or broken into several, and the text of one at a given width. A group that does not fit
 * is broken as a whole; `line` is then a line break, else a space (`softLine`: nothing).
 */
export type Doc =
  | string
  | readonly Doc[]
  | { readonly kind: 'line'; readonly flat: '' | ' ' }
  /** A line break in any layout. */
  | { readonly kind: 'break' }
  | { readonly kind: 'indent'; readonly content: Doc }
  | { readonly kind: 'group'; readonly content: Doc; readonly clause: boolean };

export const line: Doc = { kind: 'line', flat: ' ' };
export const softLine: Doc = { kind: 'line', flat: '' };
export const hardBreak: Doc = { kind: 'break' };

export function indent(...content: readonly Doc[]): Doc {
  return { kind: 'indent', content };
}

export function group(...content: readonly Doc[]): Doc {
  return { kind: 'group', content, clause: false };
}

/** A group of logical lines: clauses, fields, options. Comments inside it break it. */
export function clauses(...content: readonly Doc[]): Doc {
  return { kind: 'group', content, clause: true };
}

/** The documents with `separator` between each two. */
export function join(separator: Doc, docs: readonly Doc[]): readonly Doc[] {
  return docs.flatMap((doc, index) => (index === 0 ? [doc] : [separator, doc]));
}

/** `( a, b )`, one element per line if it does not fit. */
export function parenthesised(docs: readonly Doc[], asGroup: (...content: readonly Doc[]) => Doc = group): Doc {
  if (docs.length === 0) return '()';
  return asGroup('(', indent(softLine, ...join([',', line], docs)), softLine, ')');
}

export interface RenderOptions {
  readonly width: number;
  /** Breaks every group of clauses, even if it fits. */
  readonly breakClauses?: boolean;
}

interface Item {
  readonly doc: Doc;
  readonly indentation: number;
  readonly flat: boolean;
}

/** The text of a document. Uses no recursion; time is linear in the text. */
export function render(root: Doc, options: RenderOptions): string {
  const out: string[] = [];
  let column = 0;
  const pending: Item[] = [{ doc: root, indentation: 0, flat: options.width === Infinity }];
  for (let item = pending.pop(); item !== undefined; item = pending.pop()) {
    const { doc, indentation, flat } = item;
    if (typeof doc === 'string') {
      out.push(doc);
      column = columnAfter(doc, column);
    } else if (isList(doc)) pushAll(pending, doc, indentation, flat);
    else if (doc.kind === 'indent') pending.push({ doc: doc.content, indentation: indentation + 2, flat });
    else if (doc.kind === 'group') {
      const broken = doc.clause && options.breakClauses === true;
      const fitting = flat || (!broken && fits(doc.content, options.width - column, pending));
      pending.push({ doc: doc.content, indentation, flat: fitting });
    } else if (doc.kind === 'line' && flat) {
      out.push(doc.flat);
      column += doc.flat.length;
    } else {
      out.push('\n', ' '.repeat(indentation));
      column = indentation;
    }
  }
  return out.join('');
}

function columnAfter(text: string, column: number): number {
  const lastBreak = text.lastIndexOf('\n');
  return lastBreak < 0 ? column + text.length : text.length - lastBreak - 1;
}

function isList(doc: Doc): doc is readonly Doc[] {
  return Array.isArray(doc);
}

function pushAll(pending: Item[], docs: readonly Doc[], indentation: number, flat: boolean): void {
  for (let index = docs.length - 1; index >= 0; index--) {
    pending.push({ doc: docs[index] as Doc, indentation, flat }); // index is in range
  }
}

/** Whether the content on one line, with everything up to the next possible line break, stays within `room`. */
function fits(content: Doc, room: number, after: readonly Item[]): boolean {
  let left = room;
  let next = after.length - 1;
  const pending: { readonly doc: Doc; readonly flat: boolean }[] = [{ doc: content, flat: true }];
  while (left >= 0) {
    const item = pending.pop() ?? after[next--];
    if (item === undefined) return true;
    const { doc, flat } = item;
    if (typeof doc === 'string') left -= doc.length;
    else if (isList(doc)) {
      for (let index = doc.length - 1; index >= 0; index--) pending.push({ doc: doc[index] as Doc, flat }); // index is in range
    } else if (doc.kind === 'indent' || doc.kind === 'group') pending.push({ doc: doc.content, flat });
    else if (doc.kind === 'break') return true;
    else if (flat) left -= doc.flat.length;
    else return true;
  }
  return false;
}
