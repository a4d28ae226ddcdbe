import type { OpenSession } from '../../runtime/session/open-session.ts';
import type { Run } from '../declaration.ts';
import { type ExitStatus, usageFault } from '../exit-fault.ts';
import { loadSchema } from '../load-schema.ts';
import { withSession } from '../open-session.ts';
import { knownOf } from '../repl/known.ts';
import { runPrompt } from '../repl/prompt.ts';
import type { Target } from '../repl/target.ts';
import { resolveSettings } from '../settings/settings.ts';

/** `schemac repl [paths…]`: in memory, on a data directory, or on a server far away. */
export const runRepl: Run = async (shell, words, flags) => {
  const settings = resolveSettings(shell, flags);
  if (settings.url !== undefined) {
    if (words.length > 0 || flags['data'] !== undefined) {
      throw usageFault('--url goes with neither schema files nor --data');
    }
    const { openRemote } = await import('../repl/remote.ts');
    return (await runPrompt(shell, await openRemote(settings.url, settings.token))) ? 0 : 1;
  }
  const work = async (session: OpenSession): Promise<ExitStatus> => {
    if (!(await loadSchema(shell, session, words))) return 1;
    return (await runPrompt(shell, localTarget(session, settings.sessionData))) ? 0 : 1;
  };
  return withSession(shell, settings, work, { lenientPayload: true });
};

function localTarget(session: OpenSession, data: string | undefined): Target {
  return {
    greeting: data === undefined ? 'schemac, in memory' : `schemac, on ${data}`,
    // Each input of a prompt is a compilation of its own.
    run: (text, { keepGoing }) => session.run(text, { keepGoing, settle: true }),
    known: () => knownOf(session.engine.domain()),
    stores: session.stores,
    useStore: session.useStore,
  };
}
