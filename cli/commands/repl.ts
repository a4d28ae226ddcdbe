import type { SourceFile } from '../../compiler/source/source-file.ts';
import type { OpenSession } from '../../runtime/session/open-session.ts';
import type { StatementOutcome } from '../../runtime/session/outcome.ts';
import type { RunOptions, Session } from '../../runtime/session/session.ts';
import type { Run } from '../declaration.ts';
import { type ExitStatus, usageFault } from '../exit-fault.ts';
import { loadSchema } from '../load-schema.ts';
import { withSession } from '../open-session.ts';
import { knownOf } from '../repl/known.ts';
import type { NamedStores } from '../repl/named-stores.ts';
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
    const { createNamedStores } = await import('../repl/named-stores.ts');
    const stores = createNamedStores(shell, settings, session);
    try {
      return (await runPrompt(shell, localTarget(stores, settings.sessionData))) ? 0 : 1;
    } finally {
      await stores.close();
    }
  };
  return withSession(settings, work, { lenientPayload: true });
};

function localTarget(stores: NamedStores, data: string | undefined): Target {
  return {
    greeting: data === undefined ? 'schemac, in memory' : `schemac, on ${data}`,
    run: (text, options) => settled(stores.current(), text, options),
    known: () => knownOf(stores.current().engine.domain()),
    useStore: stores.use,
  };
}

/**
 * Each input of a prompt is a compilation of its own, so what it created is put in force, and in the log, at its end. A query
 * does that, and has no other effect.
 */
async function* settled(session: Session, text: SourceFile, options: RunOptions): AsyncGenerator<StatementOutcome> {
  yield* session.run(text, options);
  for await (const outcome of session.run({ name: 'input', text: 'SELECT 1' })) {
    if (outcome.kind === 'error') yield outcome;
  }
}
