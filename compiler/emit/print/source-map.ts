/** A printed module: its JavaScript is a part of a file, its TypeScript a file. */
export interface MappedModule {
  readonly javaScript: string;
  readonly typeScript: string;
  /** The place of the TypeScript, relative to the file of the JavaScript. */
  readonly source: string;
}

/**
 * The source map of a file of JavaScript that has a start and then modules, with an empty line between two: each line
 * of a module points at its line of the TypeScript. Both are printed from one structure, so lines are matched by
 * walking both texts together.
 */
export function sourceMap(start: string, modules: readonly MappedModule[]): string {
  const previous = { source: 0, line: 0 };
  const mappings = modules.flatMap(({ javaScript, typeScript }, source) =>
    alignLines(javaScript.split('\n'), typeScript.split('\n')).map((line) => {
      if (line === undefined) return '';
      const segment = `A${base64Digits(source - previous.source)}${base64Digits(line - previous.line)}A`;
      Object.assign(previous, { source, line });
      return segment;
    }),
  );
  return JSON.stringify({
    version: 3,
    sources: modules.map((module) => module.source),
    names: [],
    mappings: [...start.split('\n').map(() => ''), ...mappings].join(';'),
  });
}

/**
 * For each line of the first text, the line of the second (from 0) that is equal apart from its types: both have the
 * same order.
 */
function alignLines(lines: readonly string[], origins: readonly string[]): readonly (number | undefined)[] {
  let from = 0;
  return lines.map((line) => {
    if (line === '') return undefined;
    if (line === origins[from]) return from++;
    const key = lineKey(line);
    for (let index = from; index < origins.length; index++) {
      const origin = origins[index] ?? '';
      if (origin !== line && (key === line || lineKey(origin) !== key)) continue;
      from = index + 1;
      return index;
    }
    return undefined;
  });
}

/** The common part of two lines, independent of types in one of them: the line itself, or the name that it declares. */
function lineKey(line: string): string {
  return /^ *(?:export )?(?:const|(?:async )?function) [\w$]+/.exec(line)?.[0] ?? line;
}

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** A number in the base 64 VLQ of source maps. */
function base64Digits(value: number): string {
  let rest = value < 0 ? (-value << 1) | 1 : value << 1;
  let text = '';
  do {
    const digit = rest & 31;
    rest >>>= 5;
    text += digits.charAt(rest > 0 ? digit | 32 : digit);
  } while (rest > 0);
  return text;
}
