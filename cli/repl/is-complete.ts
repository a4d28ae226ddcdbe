/**
 * Whether a typed text can be run: it ends with `;` outside strings and comments, and a template's body is closed. Looks only at
 * characters, so that a prompt needs no parser.
 */
export function isComplete(text: string): boolean {
  const { plain, open } = withoutQuotes(text);
  const code = plain.trimEnd();
  if (open || !code.endsWith(';')) return false;
  const head = /^\s*create\s+(?:or\s+replace\s+)?template\s+\S+?\s*(\(|with\b)/i.exec(code)?.[1]?.toLowerCase();
  if (head === undefined) return true;
  // A body between parentheses contains statements; one after WITH … AS continues to END TEMPLATE or an empty line.
  return head === '(' ? depthOf(code) <= 0 : /\bend\s+template\s*;$/i.test(code) || /\n[ \t]*\n$/.test(plain);
}

/** Whether a text ends inside a string, a quoted name or a comment, where a line that begins with `\` is part of it. */
export function isQuoted(text: string): boolean {
  return withoutQuotes(text).open;
}

/** The text on one line with the same meaning; undefined if a line end has a meaning: in a string, or after a comment. */
export function onOneLine(text: string): string | undefined {
  const parts = text.match(/'(?:[^']|'')*'|"(?:[^"]|"")*"|--|\/\*/g) ?? [];
  if (parts.some((part) => part === '--' || part === '/*' || part.includes('\n'))) return undefined;
  return text.trim().replace(/[ \t]*\n\s*/g, ' ');
}

/** The text without comments and with blank quoted parts; `open` if a quote or comment is not closed. */
function withoutQuotes(text: string): { readonly plain: string; readonly open: boolean } {
  const parts = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|'[\s\S]*$|"[\s\S]*$|\/\*[\s\S]*$/g;
  let open = false;
  const plain = text.replace(parts, (part) => {
    const closed =
      part.startsWith('--') || (part.startsWith('/*') ? /\*\/$/.test(part) && part.length > 3 : isClosed(part));
    if (!closed) open = true;
    return ' ';
  });
  return { plain, open };
}

/** A quoted part is closed when its quotes come in pairs. */
function isClosed(part: string): boolean {
  const quote = part[0] ?? '';
  return part.length > 1 && (part.split(quote).length - 1) % 2 === 0;
}

function depthOf(code: string): number {
  let depth = 0;
  for (const character of code) {
    if (character === '(') depth++;
    else if (character === ')') depth--;
  }
  return depth;
}
