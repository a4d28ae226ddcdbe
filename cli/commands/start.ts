import { relative, resolve } from 'node:path';
import type { Run } from '../declaration.ts';
import { loadGenerated } from '../serve/load-generated.ts';
import { serve } from '../serve/serve.ts';
import { resolveSettings } from '../settings/settings.ts';
import { untilStopped } from '../shell.ts';

/** `schemac start [generated]`: serves until it is asked to stop, then finishes running requests. */
export const runStart: Run = async (shell, [word], flags) => {
  const settings = resolveSettings(shell, flags);
  const folder = word === undefined ? (settings.out ?? resolve(shell.cwd, 'generated')) : resolve(shell.cwd, word);
  const stopped = untilStopped(shell);
  const domain = await loadGenerated(folder, word ?? (relative(shell.cwd, folder) || '.'));
  const server = await serve(shell, domain, settings);
  await stopped;
  await server.stop();
  return 0;
};
