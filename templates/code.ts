/**
 * Code with positions for line breaks. Takes pieces whose text is already safe, gives text within 120 columns where the
 * pieces allow it; never reads a text.
 */
export type Code = string | CodeGroup | readonly Code[];

/** Pieces between brackets, or joined by an operator: on one line if they fit, else one piece on each line. */
export interface CodeGroup {
  readonly open: string;
  readonly items: readonly Code[];
  readonly close: string;
  /** Between two items: `,` or an operator with a space before it. */
  readonly separator: string;
  /** Inside the brackets when on one line. */
  readonly padding: '' | ' ';
  /** After the last item when broken. */
  readonly trailing: '' | ',';
  /** Never on one line. */
  readonly broken?: true;
}

export const COLUMNS = 120;
const STEP = '  ';

/**
 * A key alone means the variable of its name. A quoted key, or one called `null`, is not a variable, even if its
 * value has the same text.
 */
const isVariable = (key: string): boolean => /^[A-Za-z_$][\w$]*$/.test(key) && !/^(null|true|false|this)$/.test(key);

/** `{ key: value, … }`; keys as printed. */
export function objectCode(entries: readonly (readonly [key: string, value: Code])[]): Code {
  if (entries.length === 0) return '{}';
  const items = entries.map(([key, value]): Code => (key === value && isVariable(key) ? key : [`${key}: `, value]));
  return { open: '{', items, close: '}', separator: ',', padding: ' ', trailing: ',' };
}

/** Two or more objects or lists are on separate lines. */
export function arrayCode(items: readonly Code[]): Code {
  if (items.length === 0) return '[]';
  const list: CodeGroup = { open: '[', items, close: ']', separator: ',', padding: '', trailing: ',' };
  return items.length > 1 && items.every(isStructured) ? { ...list, broken: true } : list;
}

function isStructured(code: Code): boolean {
  return typeof code !== 'string' && !isSequence(code) && isBracketed(code) && code.items.length > 1;
}

export function callCode(name: string, items: readonly Code[]): Code {
  if (items.length === 0) return `${name}()`;
  return { open: `${name}(`, items, close: ')', separator: ',', padding: '', trailing: ',' };
}

/** `a && b && c`, without brackets of its own. */
export function joinedCode(operator: string, items: readonly Code[]): Code {
  const [only] = items;
  if (items.length === 1 && only !== undefined) return only;
  return { open: '', items, close: '', separator: ` ${operator}`, padding: '', trailing: '' };
}

/**
 * The text of code that starts at `column` of a line whose own indent is `indent` spaces. `reserve` columns stay free
 * for the text after it on the last line.
 */
export function layoutCode(code: Code, indent: number, column: number, reserve = 1): string {
  const flat = flatCode(code, COLUMNS - column - reserve);
  return flat ?? brokenCode(code, indent, column, reserve);
}

const laidOut = new WeakMap<object, { readonly indent: number; readonly column: number; readonly text: string }>();

/**
 * `layoutCode` for whole statements and for items of long lists, remembered: one structure is printed for two languages, at the same
 * columns, and a list is printed again when one of its items has changed.
 */
export function layoutStatement(code: Code, indent: number, column: number): string {
  if (typeof code === 'string') return code;
  const known = laidOut.get(code);
  if (known?.indent === indent && known.column === column) return known.text;
  const text = layoutCode(code, indent, column);
  laidOut.set(code, { indent, column, text });
  return text;
}

/** `!(…)`, without a second pair of parentheses. */
export function negatedCode(code: Code): Code {
  if (typeof code !== 'string' && !isSequence(code) && code.open === '(') return ['!', code];
  return { open: '!(', items: [code], close: ')', separator: '', padding: '', trailing: '' };
}

/** The text on one line of any length. */
export function flatText(code: Code): string {
  if (typeof code === 'string') return code;
  if (isSequence(code)) return code.map(flatText).join('');
  const inside = code.items.map(flatText).join(`${code.separator} `);
  return `${code.open}${code.padding}${inside}${code.padding}${code.close}`;
}

/** The text on one line, or undefined when it is longer than `limit`. */
function flatCode(code: Code, limit: number): string | undefined {
  if (typeof code === 'string') return code.length <= limit ? code : undefined;
  if (isSequence(code)) return flatList(code, '', limit);
  if (code.broken === true || code.items.length * 3 > limit) return undefined;
  const inside = flatList(
    code.items,
    `${code.separator} `,
    limit - code.open.length - code.close.length - 2 * code.padding.length,
  );
  return inside === undefined ? undefined : `${code.open}${code.padding}${inside}${code.padding}${code.close}`;
}

function flatList(items: readonly Code[], between: string, limit: number): string | undefined {
  let text = '';
  for (const [index, item] of items.entries()) {
    if (index > 0) text += between;
    const next = flatCode(item, limit - text.length);
    if (next === undefined) return undefined;
    text += next;
  }
  return text;
}

/** The start of a line and the code after it; a break right after the start leaves no space at its end. */
export function afterStart(start: string, code: Code, indent: number, column = start.length): string {
  const text = layoutStatement(code, indent, column);
  return `${text.startsWith('\n') ? start.trimEnd() : start}${text}`;
}

function brokenCode(code: Code, indent: number, column: number, reserve: number): string {
  if (typeof code === 'string') return code;
  if (isSequence(code)) return brokenSequence(code, indent, column, reserve);
  const hugged = hugLast(code, indent, column, reserve);
  if (hugged !== undefined) return hugged;
  const inner = code.open === '' && indent === column ? indent : indent + STEP.length;
  const pad = ' '.repeat(inner);
  const last = code.items.length - 1;
  const lines = code.items.map((item, index) => {
    const end = index < last ? code.separator : code.trailing;
    const after = index === last && code.close === '' ? reserve : 0;
    return (
      (code.broken === true
        ? layoutStatement(item, inner, inner)
        : layoutCode(item, inner, inner, end.length + after)) + end
    );
  });
  const further = code.separator === ' +' && inner === column ? STEP : '';
  const body = lines.join(`\n${pad}${further}`);
  if (code.open === '') return inner === column ? body : `\n${pad}${body}`;
  return `${code.open}\n${pad}${body}\n${' '.repeat(indent)}${code.close}`;
}

/** Only the last piece of a sequence is broken: before it there is a name, a key or an operator. */
function brokenSequence(pieces: readonly Code[], indent: number, column: number, reserve: number): string {
  let text = '';
  pieces.forEach((piece, index) => {
    const at = text.includes('\n') ? text.length - text.lastIndexOf('\n') - 1 : column + text.length;
    const rest = pieces.slice(index + 1);
    const after = rest.every((next) => typeof next === 'string') ? rest.join('').length : 0;
    const next = layoutCode(piece, indent, at, after + reserve);
    if (!next.startsWith('\n')) text += next;
    // JavaScript would end the statement behind this word.
    else if (text === 'return ') text += `(${next}\n${' '.repeat(indent)})`;
    else text = `${text.trimEnd()}${next}`;
  });
  return text;
}

/** A call whose last argument is an object or a list is broken inside that one, if the text before it fits. */
function hugLast(code: CodeGroup, indent: number, column: number, reserve: number): string | undefined {
  const last = code.items.at(-1);
  if (last === undefined || !code.open.endsWith('(') || code.open.startsWith('!') || !isBracketed(last))
    return undefined;
  const before = flatList(code.items.slice(0, -1), `${code.separator} `, COLUMNS - column - code.open.length - 4);
  if (before === undefined) return undefined;
  const start = before === '' ? code.open : `${code.open}${before}${code.separator} `;
  return `${start}${layoutCode(last, indent, column + start.length, reserve + 1)}${code.close}`;
}

/** An object or a list, which has its own brackets. */
function isBracketed(code: Code): boolean {
  return typeof code !== 'string' && !isSequence(code) && (code.open === '{' || code.open === '[');
}

function isSequence(code: CodeGroup | readonly Code[]): code is readonly Code[] {
  return Array.isArray(code);
}
