import { test } from 'uvu';
import { folderCases } from '../kit/cases.ts';
import { projectOf } from './compiled.ts';

/** A schema and the modules of its blocks, as people read them. */
folderCases(import.meta.url, 'cases', async (input) => {
  const files = await projectOf(Object.values(input).join('\n'));
  const shown = files.filter(({ path }) => path.includes('/') && path.endsWith('.ts') && !path.endsWith('.d.ts'));
  return Object.fromEntries(shown.map(({ path, text }) => [`generated/${path}`, text]));
});

test.run();
