import { allowFlags, readAllowed } from '../compare/allowed.ts';
import { openComparedStore, readFiles } from '../compare/registry-side.ts';
import { compareWhole, showWhole } from '../compare/whole-comparison.ts';
import { schemaPaths } from '../compile-paths.ts';
import type { Run } from '../declaration.ts';
import { usageFault } from '../exit-fault.ts';
import { resolveSettings } from '../settings/settings.ts';

/** `schemac verify <paths…> --data`: everything of `diff`, then all that is stored, read and computed under the files. */
export const runVerify: Run = async (shell, words, flags) => {
  const paths = schemaPaths(words, resolveSettings(shell, flags));
  const isAllowed = readAllowed(allowFlags(flags));
  const store = await openComparedStore(shell, flags);
  if (store === undefined) throw usageFault('verify reads a store: name it with --data or --eventstore');
  try {
    const compared = await compareWhole(shell, store, await readFiles(shell, paths), isAllowed);
    showWhole(shell, compared, flags['json'] === true ? {} : undefined);
    return compared.breaks ? 1 : 0;
  } finally {
    await store.close();
  }
};
