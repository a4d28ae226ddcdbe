/** A `--=` comment of a script (docs/tool.md#expectations-in-scripts). Lines count from 1. */
export interface Expectation {
  readonly line: number;
  /** Its last line, if its JSON has several. */
  readonly end: number;
  readonly word: string;
  readonly rest: string;
}

/** The expectations of a script, found by line, also after a broken statement. */
export function readExpectations(text: string): readonly Expectation[] {
  const found: { line: number; end: number; text: string }[] = [];
  text.split('\n').forEach((line, index) => {
    const content = /^\s*--=(.*)$/.exec(line.replace(/\r$/, ''))?.[1];
    if (content === undefined) return;
    const last = found.at(-1);
    if (last?.end === index && /^ {2,}/.test(content)) {
      last.text += ` ${content.trim()}`;
      last.end = index + 1;
    } else found.push({ line: index + 1, end: index + 1, text: content.trim() });
  });
  return found.map(({ line, end, text: content }) => {
    const [, word = '', rest = ''] = /^(\S*)\s*(.*)$/s.exec(content) ?? [];
    return { line, end, word, rest };
  });
}
