/** The edits that repair what a diagnostic names: for `check --json` and for an editor, which must offer the same. */
import { isReservedWord } from '../source/reserved-words.ts';
import type { Diagnostic, Fix } from './diagnostic.ts';
import { offeredNames } from './suggestion.ts';

/** The diagnostic's own edit, or one for each name that its message offers; best first. */
export function fixesOf(diagnostic: Diagnostic): readonly Fix[] {
  if (diagnostic.fix !== undefined) return [diagnostic.fix];
  const names = offeredNames(diagnostic.message);
  const wrong = names.length === 0 ? undefined : wrongName(diagnostic);
  return wrong === undefined ? [] : names.map((name) => nameFix(diagnostic, wrong, name));
}

/** A name in the text of a diagnostic; offsets are those of the file. */
interface WrongName {
  readonly start: number;
  readonly end: number;
  readonly quoted: boolean;
}

/** A single name with its colon, qualifiers and numbers. */
const writtenName = /^((?:[\w"$]+\.)*:?)("?)([\w$]+)("?)(?:\([^()]*\))?$/;

/**
 * Which name in the text the message is about: the only one there is, or the one that the message quotes first, if the text has it once. A name
 * that a template makes from its parameters is not in the text.
 */
function wrongName({ span, message }: Diagnostic): WrongName | undefined {
  const text = span.file.text.slice(span.start, span.end);
  const written = writtenName.exec(text);
  if (written !== null) {
    const [, before = '', open = '', name = '', close = ''] = written;
    const quoted = open !== '' && close !== '';
    if (quoted || (open === '' && close === '')) {
      const start = span.start + before.length;
      return { start, end: start + open.length + name.length + close.length, quoted };
    }
  }
  for (const [, name = ''] of message.replace(/; did you mean.*$/s, '').matchAll(/'([^']+)'/g)) {
    const places = placesOf(text, name);
    const [at] = places;
    if (at !== undefined && places.length === 1)
      return { start: span.start + at, end: span.start + at + name.length, quoted: false };
  }
  return undefined;
}

function placesOf(text: string, name: string): readonly number[] {
  const places: number[] = [];
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const isWhole = !/[\w$.]/.test(text.charAt(at - 1)) && !/[\w$.]/.test(text.charAt(at + name.length));
    if (isWhole) places.push(at);
  }
  return places;
}

function nameFix({ span, code }: Diagnostic, wrong: WrongName, offered: string): Fix {
  const name = offered.replace(/^:/, '');
  // An offered name that is qualified replaces the qualifiers too.
  const start = name.includes('.') ? span.start : wrong.start;
  const before = span.file.text.charAt(start - 1);
  const replacement = wrong.quoted || needsQuotes(name, code, before) ? `"${name}"` : name;
  return { title: `write '${offered}'`, span: { ...span, start, end: wrong.end }, replacement };
}

/** Whether an offered name is one only in quotes. Errors of syntax offer keywords. */
function needsQuotes(name: string, code: string, before: string): boolean {
  if (code.startsWith('E01') || before === "'" || name.includes('.')) return false;
  if (!/^[A-Za-z_][\w$]*$/.test(name)) return true;
  return isReservedWord(name) && before !== '.' && before !== ':';
}
