const plain = /^[ !#-%(-;=?-~]*$/;
// Controls but tab and line feed, line separators, formats (directions, joiners, invisible marks), lone surrogates, private use.
const special = /[&<>"']|(?![\t\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}]/gu;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * Any text as HTML, in an element or a quoted attribute. Characters that could hide, or reverse the direction of the text around them, are
 * replaced by their names.
 */
export function htmlText(text: string): string {
  return escaped(text, (name) => name);
}

/** A text inside an element, with the names of such characters marked. */
export function htmlCell(text: string): string {
  return escaped(text, (name) => `<span class="sign">${name}</span>`);
}

function escaped(text: string, sign: (name: string) => string): string {
  if (plain.test(text)) return text;
  return text.replace(special, (character, at: number) => {
    if (character === '\u200d' && joinsEmoji(text, at)) return character;
    return entities[character] ?? sign(nameOf(character));
  });
}

/** A joiner within an emoji, such as a family, is part of a visible sign. */
function joinsEmoji(text: string, at: number): boolean {
  const before = /\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]?$/u.test(text.slice(Math.max(0, at - 4), at));
  return before && /^\p{Extended_Pictographic}/u.test(text.slice(at + 1, at + 3));
}

function nameOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}
