import { allowFlags, readAllowed } from '../compare/allowed.ts';
import { comparedServer } from '../compare/compared-server.ts';
import { differencesOf } from '../compare/differences.ts';
import { openComparedStore, readSide } from '../compare/registry-side.ts';
import { breaksAny, judge, showDifferences } from '../compare/show-differences.ts';
import type { Run } from '../declaration.ts';
import { usageFault } from '../exit-fault.ts';
import { writeJsonLine } from '../shell.ts';

/** `schemac diff <old> <new>`: the consequences of each changed block for callers, readers and stored events; 1 if anything breaks. */
export const runDiff: Run = async (shell, [before, after, ...more], flags) => {
  if (before === undefined || after === undefined || more.length > 0)
    throw usageFault('diff takes an old and a new side: paths, log, or log@<position or time>');
  const isAllowed = readAllowed(allowFlags(flags));
  const server = comparedServer(shell, flags);
  const store = server === undefined ? await openComparedStore(shell, flags) : undefined;
  try {
    const old = await readSide(shell, before, store, server);
    const next = await readSide(shell, after, store, server);
    const differences = judge(await differencesOf(old, next, store), isAllowed);
    if (flags['json'] === true) writeJsonLine(shell.output, { breaks: breaksAny(differences), differences });
    else showDifferences(shell.output, differences);
    if (server !== undefined)
      shell.messages.write('schemac: stored events are not compared over HTTP; --data and --eventstore read them\n');
    return breaksAny(differences) ? 1 : 0;
  } finally {
    await store?.close();
  }
};
