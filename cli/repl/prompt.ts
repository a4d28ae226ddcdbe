/**
 * The interactive loop: reads lines, runs statements, shows outcomes. Takes a target and a shell; does not know whether the target is local
 * or remote.
 */
import { createInterface, type Interface } from 'node:readline';
import type { SourceFile } from '../../language/source/source-file.ts';
import { Failure } from '../../language/failure/failure.ts';
import { visibleText } from '../../language/diagnostics/render/visible.ts';
import { asExitFault } from '../exit-of-error.ts';
import { showOutcome } from '../output/show-outcome.ts';
import { runStatements } from '../run-statements.ts';
import { readSchemaFile } from '../schema-files.ts';
import type { Shell } from '../shell.ts';
import { backslashed, readBackslash } from './backslash.ts';
import { complete } from './complete.ts';
import { createDiscretion, openHistory, type History } from './history.ts';
import { isComplete, isQuoted, onOneLine } from './is-complete.ts';
import type { Target } from './target.ts';

interface PromptState {
  /** The typed part of an incomplete statement. */
  buffer: string;
  /** The line of the input at which that part begins, and the lines read so far. */
  firstLine: number;
  lines: number;
  /** Whether it was said how an incomplete statement ends. */
  hinted: boolean;
  expanded: boolean;
  timing: boolean;
  failed: boolean;
  /** The moment of all answers; absent: now. */
  asOf?: string;
  /** Stops the running statement. */
  running?: AbortController;
}

/** Runs until the end of the input or `\q`. Gives false if a statement failed and the input is not a terminal. */
export async function runPrompt(shell: Shell, target: Target, asOf?: string): Promise<boolean> {
  const interactive = shell.input.isTTY === true && shell.output.terminal;
  const history = openHistory(shell);
  const state: PromptState = {
    buffer: '',
    firstLine: 1,
    lines: 0,
    hinted: false,
    expanded: false,
    timing: false,
    failed: false,
    ...(asOf === undefined ? {} : { asOf }),
  };
  let kept: string[] = [];
  const lines = openLines(shell, target, state, interactive ? history.lines : undefined);
  lines.on('history', (changed: string[]) => (kept = changed));
  const ask = (): void => {
    if (!interactive) return;
    lines.setPrompt(state.buffer === '' ? 'schemac> ' : '      -> ');
    lines.prompt();
  };
  /** Drops the typed part of a statement, which then is in the history like a statement that was run. */
  const drop = (): void => {
    if (state.buffer !== '') keepWhole(kept, state.buffer, target);
    state.buffer = '';
    if (interactive) saveHistory(history, kept, state, target);
  };
  lines.on('SIGINT', () => {
    if (state.running !== undefined) {
      state.running.abort();
      return;
    }
    shell.output.write(state.buffer === '' && lines.line === '' ? '\n\\q leaves\n' : '\n');
    drop();
    // The text on the line is dropped too: to its end, then back to its beginning.
    lines.write(null, { ctrl: true, name: 'e' });
    lines.write(null, { ctrl: true, name: 'u' });
    ask();
  });

  if (interactive) shell.output.write(`${target.greeting}\n\\? shows help, \\q leaves\n`);
  ask();
  try {
    for await (const line of lines) {
      state.lines += 1;
      const { text, end } = await takeLine(shell, target, state, line, interactive, drop);
      if (end) return interactive || !state.failed;
      if (text !== undefined) keepWhole(kept, text, target);
      if (interactive) saveHistory(history, kept, state, target);
      ask();
    }
  } finally {
    // An open input would keep the process alive.
    lines.close();
    shell.input.pause();
  }
  // The last statement of a file needs no `;`. At a terminal, an incomplete statement was not sent.
  if (interactive) {
    shell.output.write('\n');
    drop();
  } else if (state.buffer.trim() !== '') await runText(shell, target, state, pieceOf(state, state.buffer));
  return interactive || !state.failed;
}

function openLines(
  shell: Shell,
  target: Target,
  state: PromptState,
  history: readonly string[] | undefined,
): Interface {
  const completer = (line: string): [string[], string] => complete(state.buffer + line, target.known());
  if (history === undefined) return createInterface({ input: shell.input, terminal: false });
  return createInterface({
    input: shell.input,
    output: shell.screen,
    history: [...history],
    historySize: 1000,
    removeHistoryDuplicates: true,
    completer,
  });
}

/** Handles a line. `text` is the statement it completed, `end` that the session is over. */
async function takeLine(
  shell: Shell,
  target: Target,
  state: PromptState,
  line: string,
  interactive: boolean,
  drop: () => void,
): Promise<{ readonly text?: string; readonly end?: true }> {
  try {
    const begins = state.buffer === '';
    const command = isQuoted(state.buffer) ? undefined : backslashed(line, begins);
    if (command !== undefined) return (await obey(shell, target, state, command, drop)) ? {} : { end: true };
    if (begins && line.trim() === '') return {};
    if (begins) state.firstLine = interactive ? 1 : state.lines;
    state.buffer += `${line}\n`;
    if (!isComplete(state.buffer)) {
      const asks = /^\s*(help|exit|quit)?\s*$/i.test(line);
      if (interactive && (asks || !state.hinted)) shell.output.write(unfinishedHint);
      state.hinted = true;
      return {};
    }
    const text = state.buffer;
    state.buffer = '';
    await runText(shell, target, state, pieceOf(state, text));
    return { text };
  } catch (error) {
    const fault = asExitFault(error);
    if (fault === undefined || isEnd(error)) throw error;
    state.failed = true;
    shell.messages.write(`schemac: ${fault.message}\n`);
    return {};
  }
}

/** Whether the session's server is gone, so that no further request is possible. */
function isEnd(error: unknown): boolean {
  return error instanceof Failure && error.code === 'R0409';
}

/** Shown when the prompt changes to `->`. */
const unfinishedHint = 'the statement goes on to a ; (\\r drops it, \\q leaves)\n';

/** A typed text, with its lines counted from the beginning of a piped input. */
function pieceOf({ firstLine }: PromptState, text: string): SourceFile {
  return { name: 'input', text, firstLine };
}

async function runText(shell: Shell, target: Target, state: PromptState, text: SourceFile): Promise<void> {
  await runSource(shell, target, state, text, true);
}

function momentOf({ asOf }: PromptState): { readonly asOf?: string } {
  return asOf === undefined ? {} : { asOf };
}

async function runSource(
  shell: Shell,
  target: Target,
  state: PromptState,
  text: SourceFile,
  keepGoing: boolean,
): Promise<void> {
  let began = performance.now();
  const { signal } = (state.running = new AbortController());
  try {
    for await (const outcome of runStatements(shell, target.run, text, { keepGoing, signal, ...momentOf(state) })) {
      const took = performance.now() - began;
      if (outcome.kind === 'error') state.failed = true;
      await showOutcome(shell, outcome, false, state.expanded);
      if (state.timing) shell.output.write(`Time: ${took.toFixed(1)} ms\n`);
      began = performance.now();
    }
  } finally {
    delete state.running;
  }
}

/** False when the line ends the session. */
async function obey(
  shell: Shell,
  target: Target,
  state: PromptState,
  line: string,
  drop: () => void,
): Promise<boolean> {
  const asked = readBackslash(line, target.known());
  switch (asked.do) {
    case 'quit':
      return false;
    case 'toggle-timing':
      state.timing = !state.timing;
      shell.output.write(`timing is ${state.timing ? 'on' : 'off'}\n`);
      return true;
    case 'toggle-expanded':
      state.expanded = !state.expanded;
      shell.output.write(`expanded rows are ${state.expanded ? 'on' : 'off'}\n`);
      return true;
    case 'say':
      shell.output.write(asked.text);
      return true;
    case 'run':
      await runText(shell, target, state, { name: 'input', text: asked.text });
      return true;
    case 'drop':
      shell.output.write(state.buffer === '' ? 'nothing was typed\n' : 'dropped\n');
      drop();
      return true;
    case 'include':
      await runSource(shell, target, state, readSchemaFile(shell.cwd, asked.file), false);
      return true;
    case 'as-of':
      if (asked.moment === undefined) delete state.asOf;
      else state.asOf = asked.moment;
      shell.output.write(`answers are as of ${state.asOf === undefined ? 'now' : visibleText(state.asOf)}\n`);
      return true;
    case 'store':
      shell.output.write(await storeText(target, asked.name));
      return true;
  }
}

/** The answer of `\store`. */
async function storeText({ stores, useStore }: Target, name: string | undefined): Promise<string> {
  if (stores === undefined || useStore === undefined) return 'this session has no named event stores\n';
  if (name === undefined) return (await stores()).map((each) => `${each.used ? '* ' : '  '}${each.name}\n`).join('');
  const used = await useStore(name);
  if (used.own) return "on the session's own store\n";
  return `on ${used.name} (${used.location}), read-only, as of event ${used.event}\n`;
}

/** The lines of an incomplete statement are not yet saved: only the whole statement shows whether they may be. */
function saveHistory(history: History, kept: readonly string[], { buffer }: PromptState, target: Target): void {
  const unfinished = new Set(buffer.split('\n'));
  const isDiscreet = createDiscretion(target.known());
  history.save(kept.filter((line) => !unfinished.has(line) && !isDiscreet(line)));
}

/** Puts a statement of several lines into the history as one, so that it is recalled as a whole; one that may hold sensitive values is removed. */
function keepWhole(kept: string[], text: string, target: Target): void {
  const lines = text.split('\n').filter((line) => line !== '');
  const discreet = createDiscretion(target.known())(text);
  const whole = lines.length > 1 ? onOneLine(text) : undefined;
  if (!discreet && whole === undefined) return;
  const typed = new Set(whole === undefined ? lines : [...lines, whole]);
  for (let index = kept.length - 1; index >= 0; index--) if (typed.has(kept[index] ?? '')) kept.splice(index, 1);
  if (!discreet && whole !== undefined) kept.unshift(whole);
}
