import { visibleText } from '../../language/diagnostics/render/visible.ts';
import type { Known } from '../../server/session/known.ts';

/** The command of a line that begins with `\`. */
export type Asked =
  | { readonly do: 'quit' | 'toggle-timing' | 'toggle-expanded' | 'drop' }
  | { readonly do: 'say'; readonly text: string }
  | { readonly do: 'run'; readonly text: string }
  | { readonly do: 'include'; readonly file: string }
  | { readonly do: 'store'; readonly name: string | undefined }
  /** Undefined: now. */
  | { readonly do: 'as-of'; readonly moment: string | undefined };

export const backslashHelp = `  \\?            this help
  \\q            leave
  \\d            list all blocks
  \\d name       describe the block of that name
  \\dt           list the relations that a SELECT can read
  \\h [word]     show the forms of statements, or of those with that word
  \\i file       run a file
  \\timing       show how long each statement takes, or stop to
  \\x            show rows one below the other, or stop to
  \\l            list the event stores
  \\store [name] work on a named event store; without a name, list them
  \\asof [time]  answer as of a moment: a position or a time; without one, of the present again
  \\r            drop the statement that is being typed
Statements end with ; and may go over several lines; these commands work there too. Tab completes, the arrows bring back what was typed.
Ctrl-C drops what was typed or stops the statement that is running, Ctrl-D leaves.
`;

/** The statements by their forms, for \\h. */
const forms = `  CREATE [OR REPLACE] AGGREGATE Name [(field TYPE [KEY] [DEFAULT value] [AS expression], …)];
  CREATE [OR REPLACE] COMMAND Name (field TYPE [KEY] [SENSITIVE] [NULL | DEFAULT value], …);
  CREATE [OR REPLACE] EVENT Name ([field TYPE [SENSITIVE | VOLATILE] [TAG], …]);
  CREATE [OR REPLACE] DECISION Name FOR Aggregate ON COMMAND Command [STATE AS query] EMIT AS SELECT EVENT Event (field := value, …) [WHERE guard];
  CREATE [OR REPLACE] PROJECTION Name AS query;
  CREATE [OR REPLACE] EVENTSTORE Name WITH (key = value, …);
  CREATE [OR REPLACE] TEMPLATE Name (Parameter, …) AS (statements);
  APPLY TEMPLATE Name WITH (Parameter = value, …);
  DROP kind Name;
  EXECUTE Command(field := value, …) [WITH (command_id = '…', expected_seq = n)];
  SELECT … FROM Reg."Aggregate$Events" | Reg."Aggregate$Agg" | Reg."Projection" … [AS OF POSITION n | TIMESTAMP '…'];
  CREATE TABLE name AS query;
  INSPECT DECISION Name FROM relation INTO table;
  INSPECT PROJECTION Name FROM relation INTO table;
  INSPECT REACTION Name FROM relation INTO table;
  DESCRIBE [kind] Name; DESCRIBE AGGREGATES | COMMANDS | EVENTS | …;
  VALIDATE REGISTRY; EXPORT REGISTRY;
  EXPLAIN query | DECISION Name | PROJECTION Name;
`;

/** The line as a command of the prompt: it begins with `\`, or, where no statement is unfinished, is a common word for quitting or help. */
export function backslashed(line: string, begins: boolean): string | undefined {
  if (line.trimStart().startsWith('\\')) return line;
  if (!begins) return undefined;
  const word = /^\s*(help|exit|quit)\s*;?\s*$/i.exec(line)?.[1]?.toLowerCase();
  if (word === undefined) return undefined;
  return word === 'help' ? '\\?' : '\\q';
}

export function readBackslash(line: string, { blocks, relations }: Pick<Known, 'blocks' | 'relations'>): Asked {
  const [, word = '', rest = ''] = /^\\(\S*)\s*(.*?)\s*;?\s*$/.exec(line.trim()) ?? [];
  switch (word) {
    case 'h':
      return { do: 'say', text: formsWith(rest) };
    case '?':
    case 'help':
      return { do: 'say', text: backslashHelp };
    case 'q':
    case 'quit':
      return { do: 'quit' };
    case 'd':
      return rest === '' ? { do: 'say', text: list(blocks) } : describe(rest, blocks);
    case 'dt':
      return { do: 'say', text: listRelations(relations) };
    case 'r':
      return { do: 'drop' };
    case 'l':
      return { do: 'store', name: undefined };
    case 'i':
      return rest === ''
        ? { do: 'say', text: '\\i takes the name of a file\n' }
        : { do: 'include', file: unquoted(rest) };
    case 'timing':
      return { do: 'toggle-timing' };
    case 'x':
      return { do: 'toggle-expanded' };
    case 'asof':
      return { do: 'as-of', moment: rest === '' ? undefined : unquoted(rest) };
    case 'store':
      return { do: 'store', name: rest === '' ? undefined : unquoted(rest) };
    default:
      return {
        do: 'say',
        text: `there is no \\${visibleText(word)}; \\? lists the commands\n`,
      };
  }
}

/** The forms of statements that have a word, in any case; of all without one. */
function formsWith(word: string): string {
  const wanted = word.toUpperCase();
  const found = forms.split('\n').filter((line) => line.toUpperCase().includes(wanted));
  return found.length === 0
    ? `there is no statement with ${visibleText(word)}; \\h shows all of them\n`
    : `${found.join('\n').trimEnd()}\n`;
}

function listRelations(relations: readonly string[]): string {
  if (relations.length === 0) return 'there are no relations yet\n';
  return relations.map((name) => `  Reg.${name}\n`).join('');
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
