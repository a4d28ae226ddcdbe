/**
 * A page as a reader follows it: files to write and commands to type, in order. Takes Markdown, gives steps; runs nothing.
 *
 * - A fence marked `file=path` (of any language) is a file.
 * - A fence `console` is typed: lines that begin with `$ ` are commands, a `\` at the end of a line carries one on; lines that begin with a prompt of the tool are its input; the rest is the output. `…` matches any text, alone on a line for any
 *   number of lines.
 * - `console server`: its one command keeps running, and must be serving before the page continues. A line that begins with `Stop the server`
 *   ends it, before another one starts.
 * - `console soon`: its commands may take some seconds to give what the page says.
 * - A line with `clone of the repository` and the name of an example in backticks, or a command `cd examples/name`: the page is followed where
 *   that folder is.
 * - An invisible comment is refused, except for the parts and samples of other tests: a reader follows only visible text.
 */
export interface Walkthrough {
  /** Folders of the repository that are copied to where the page is followed. */
  readonly folders: readonly string[];
  readonly steps: readonly Step[];
}

export type Step =
  | { readonly kind: 'file'; readonly path: string; readonly text: string }
  | { readonly kind: 'type'; readonly commands: readonly Command[]; readonly soon: boolean }
  | { readonly kind: 'serve'; readonly command: Command }
  | { readonly kind: 'stop' };

export interface Command {
  readonly text: string;
  /** Its stdin, undefined when it has none. */
  readonly input: string | undefined;
  /** The page's lines with the output: the first, from 0, and the one after the last. */
  readonly from: number;
  readonly to: number;
  readonly output: string;
}

const prompts = ['schemac> ', '      -> '];

/** Throws when a fence has no end or an unknown mark. */
export function walkthroughOf(page: string): Walkthrough {
  const lines = page.split('\n');
  const folders: string[] = [];
  const steps: Step[] = [];
  let serving: number | undefined;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const folder = /\bclone of the repository\b.*`(examples\/[\w-]+)`/.exec(line)?.[1];
    if (folder !== undefined) folders.push(folder);
    if (line.startsWith('<!--') && !isOfAnotherTest(line))
      throw new Error(`line ${at + 1}: a reader does not see '${line}'; write it as text`);
    if (line.startsWith('Stop the server')) {
      if (serving === undefined) throw new Error(`line ${at + 1}: no server runs here`);
      serving = undefined;
      steps.push({ kind: 'stop' });
    }
    const [, language, mark = ''] = /^```(\S+) ?(.*)$/.exec(line) ?? [];
    if (language === undefined) continue;
    const end = lines.indexOf('```', at + 1);
    if (end < 0) throw new Error(`line ${at + 1}: this fence has no end`);
    const path = /^file=(\S+)$/.exec(mark)?.[1];
    if (path !== undefined) steps.push({ kind: 'file', path, text: `${lines.slice(at + 1, end).join('\n')}\n` });
    else if (language === 'console') {
      const step = consoleStep(commandsOf(lines, at + 1, end), mark, at + 1);
      if (step.kind === 'serve' && serving !== undefined)
        throw new Error(`line ${at + 1}: the server of line ${serving} has the port; write 'Stop the server' before`);
      if (step.kind === 'serve') serving = at + 1;
      if (step.kind === 'type') folders.push(...step.commands.flatMap(exampleEntered));
      steps.push(step);
    }
    at = end;
  }
  return { folders, steps };
}

function exampleEntered({ text }: Command): readonly string[] {
  return /^cd (examples\/[\w-]+)$/.exec(text)?.slice(1) ?? [];
}

/** The parts that `npm run docs` writes, and the file with which samples begin. */
function isOfAnotherTest(line: string): boolean {
  return /^<!-- (?:[a-z]+: written by npm run docs|end of [a-z]+|samples follow \S+) -->$/.test(line);
}

function consoleStep(commands: readonly Command[], mark: string, line: number): Step {
  const [first, second] = commands;
  if (first === undefined) throw new Error(`line ${line}: nothing is typed here`);
  if (mark === 'server' && second === undefined) return { kind: 'serve', command: first };
  if (mark === '' || mark === 'soon') return { kind: 'type', commands, soon: mark === 'soon' };
  throw new Error(`line ${line}: '${mark}' is no mark of a console`);
}

function commandsOf(lines: readonly string[], begin: number, end: number): readonly Command[] {
  const commands: Command[] = [];
  for (let at = begin; at < end;) {
    const typed: string[] = [];
    const input: string[] = [];
    if (!(lines[at] ?? '').startsWith('$ ')) throw new Error(`line ${at + 1}: this appears before anything is typed`);
    do typed.push((lines[at] ?? '').replace(/^\$ /, ''));
    while ((lines[at++] ?? '').endsWith('\\'));
    const from = at;
    const output: string[] = [];
    for (; at < end && !(lines[at] ?? '').startsWith('$ '); at++) {
      const line = lines[at] ?? '';
      const prompt = prompts.find((known) => line.startsWith(known));
      if (prompt === undefined) output.push(`${line}\n`);
      else input.push(`${line.slice(prompt.length)}\n`);
    }
    const text = typed.join('\n');
    const read = input.length === 0 ? undefined : input.join('');
    commands.push({ text, input: read, from, to: at, output: output.join('') });
  }
  return commands;
}

/** Whether the text matches the page. */
export function appearsAs(actual: string, expected: string): boolean {
  const anyLines = '(?:.*\n)*?';
  const pattern = expected
    .split(/^…\n/m)
    .map((part) => part.split('…').map(literally).join('.*?'))
    .join(anyLines);
  return new RegExp(`^${pattern}$`).test(actual);
}

function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
