import { test } from 'uvu';
import { folderCases } from '../kit/cases.ts';
import { projectOf } from './compiled.ts';

/** A schema, the modules of its blocks and its client, as people read them. */
folderCases(import.meta.url, 'cases', async (input) => {
  const files = await projectOf(Object.values(input).join('\n'));
  const shown = files.filter(({ path }) => /^(?!client\/)(.+\/.+|client)(?<!\.d)\.ts$/.test(path));
  return Object.fromEntries(shown.map(({ path, text }) => [`generated/${path}`, text]));
});

test.run();
