import type { Session } from '../../runtime/session/session.ts';
import type { Run } from '../declaration.ts';
import { usageFault } from '../exit-fault.ts';
import { loadSchema } from '../load-schema.ts';
import { withSession } from '../open-session.ts';
import { knownOf } from '../repl/known.ts';
import { runPrompt } from '../repl/prompt.ts';
import { resolveSettings } from '../settings/settings.ts';

/**
 * Each input of a prompt is a compilation of its own, so what it created is put in force, and in the log, at its end. A query
 * does that, and has no other effect.
 */
function settling(session: Session): Session['run'] {
  return async function* (text, options) {
    yield* session.run(text, options);
    for await (const outcome of session.run({ name: 'input', text: 'SELECT 1' })) {
      if (outcome.kind === 'error') yield outcome;
    }
  };
}

/** `schemac repl [paths…]`: in memory, on a data directory, or on a server far away. */
export const runRepl: Run = async (shell, words, flags) => {
  const settings = resolveSettings(shell, flags);
  if (settings.url !== undefined) {
    if (words.length > 0 || flags['data'] !== undefined)
      throw usageFault('--url goes with neither schema files nor --data');
    const { openRemote } = await import('../repl/remote.ts');
    return (await runPrompt(shell, await openRemote(settings.url, settings.token))) ? 0 : 1;
  }
  return withSession(
    settings,
    async (session) => {
      if (!(await loadSchema(shell, session, words))) return 1;
      const greeting =
        settings.sessionData === undefined ? 'schemac, in memory' : `schemac, on ${settings.sessionData}`;
      const target = { greeting, run: settling(session), known: () => knownOf(session.engine.domain()) };
      return (await runPrompt(shell, target)) ? 0 : 1;
    },
    { lenientPayload: true },
  );
};
