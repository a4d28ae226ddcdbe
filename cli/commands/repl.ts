import { clockFlag } from '../clock-flag.ts';
import type { Run } from '../declaration.ts';
import { type ExitStatus, usageFault } from '../exit-fault.ts';
import { loadSchema } from '../load-schema.ts';
import { withSession, type ToolSession } from '../open-session.ts';
import { runPrompt } from '../repl/prompt.ts';
import type { Target } from '../repl/target.ts';
import { resolveSettings } from '../settings/settings.ts';
import { asOfFlag } from './statement.ts';

/** `schemac repl [paths…]`: in memory, on a data directory, in the server that owns it, or on a remote server. */
export const runRepl: Run = async (shell, words, flags) => {
  const settings = resolveSettings(shell, flags);
  if (settings.url !== undefined) {
    if (words.length > 0 || ['data', 'eventstore', 'clock'].some((flag) => flags[flag] !== undefined)) {
      throw usageFault('--url goes with neither schema files nor --data, --eventstore or --clock');
    }
    const { openRemote } = await import('../remote/prompt.ts');
    return (await runPrompt(shell, await openRemote(settings.url, settings.token), asOfFlag(flags).asOf)) ? 0 : 1;
  }
  const work = async (session: ToolSession): Promise<ExitStatus> => {
    // In force at once, so that `\d` and Tab know the blocks before the first statement.
    if (!(await loadSchema(shell, session, words, { adoptAtEnd: true }))) return 1;
    return (await runPrompt(shell, promptTarget(session), asOfFlag(flags).asOf)) ? 0 : 1;
  };
  const greets = shell.input.isTTY === true && shell.output.terminal;
  return withSession(shell, settings, work, { lenientPayload: true, greets, ...clockFlag(flags, settings) });
};

function promptTarget({ run, known, stores, useStore, where }: ToolSession): Target {
  return {
    greeting: `schemac, ${where}`,
    // Each input of a prompt is its own compilation.
    run: (text, options) => run(text, { ...options, adoptAtEnd: true }),
    known,
    stores,
    useStore,
  };
}
