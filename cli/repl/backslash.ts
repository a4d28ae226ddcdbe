import { visibleText } from '../../language/diagnostics/render/visible.ts';
import type { Known } from '../../server/session/known.ts';

/** The command of a line that begins with `\`. */
export type Asked =
  | { readonly do: 'quit' | 'toggle-timing' | 'toggle-expanded' }
  | { readonly do: 'say'; readonly text: string }
  | { readonly do: 'run'; readonly text: string }
  | { readonly do: 'include'; readonly file: string }
  | { readonly do: 'store'; readonly name: string | undefined };

export const backslashHelp = `  \\?            this help
  \\q            leave
  \\d            list all blocks
  \\d name       describe the block of that name
  \\i file       run a file
  \\timing       show how long each statement takes, or stop to
  \\x            show rows one below the other, or stop to
  \\store [name] work on a named event store; without a name, list them
Statements end with ; and may go over several lines. Tab completes, the arrows bring back what was typed. Ctrl-C drops what was typed
or stops the statement that is running, Ctrl-D leaves.
`;

/** The line as a command of the prompt: one that begins with `\`, or a common word for quitting or help. */
export function backslashed(line: string): string | undefined {
  if (line.trimStart().startsWith('\\')) return line;
  const word = /^\s*(help|exit|quit)\s*;?\s*$/i.exec(line)?.[1]?.toLowerCase();
  if (word === undefined) return undefined;
  return word === 'help' ? '\\?' : '\\q';
}

export function readBackslash(line: string, blocks: Known['blocks']): Asked {
  const [, word = '', rest = ''] = /^\\(\S*)\s*(.*?)\s*;?\s*$/.exec(line.trim()) ?? [];
  switch (word) {
    case '?':
    case 'h':
    case 'help':
      return { do: 'say', text: backslashHelp };
    case 'q':
    case 'quit':
      return { do: 'quit' };
    case 'd':
      return rest === '' ? { do: 'say', text: list(blocks) } : describe(rest, blocks);
    case 'i':
      return rest === ''
        ? { do: 'say', text: '\\i takes the name of a file\n' }
        : { do: 'include', file: unquoted(rest) };
    case 'timing':
      return { do: 'toggle-timing' };
    case 'x':
      return { do: 'toggle-expanded' };
    case 'store':
      return { do: 'store', name: rest === '' ? undefined : unquoted(rest) };
    default:
      return {
        do: 'say',
        text: `there is no \\${visibleText(word)}; \\? lists the commands\n`,
      };
  }
}

/** Kinds and names in columns. */
function list(blocks: Known['blocks']): string {
  if (blocks.length === 0) return 'there are no blocks yet\n';
  const width = Math.max(...blocks.map(({ kind }) => kind.length));
  return blocks.map(({ kind, name }) => `  ${kind.padEnd(width)}  ${name}\n`).join('');
}

/** Every block of that name, of any kind. */
function describe(wanted: string, blocks: Known['blocks']): Asked {
  const name = unquoted(wanted);
  const exact = blocks.filter((block) => block.name === name);
  const found = exact.length > 0 ? exact : blocks.filter((block) => block.name.toLowerCase() === name.toLowerCase());
  if (found.length === 0) return { do: 'say', text: `there is no block '${visibleText(name)}'\n` };
  return { do: 'run', text: found.map((block) => `DESCRIBE ${block.kind.toUpperCase()} ${block.name};`).join('\n') };
}

function unquoted(text: string): string {
  return /^(["']).*\1$/.test(text) ? text.slice(1, -1) : text;
}
