/**
 * What is generated, as people read it: one whole project, and of the other cases the files that they are about, which a case lists
 * in `about.txt`. What the same schema gives for every project is in `project.test.ts`.
 */
import { test } from 'uvu';
import { folderCases, type CaseInput } from '../kit/cases.ts';
import { projectOf } from './compiled.ts';

/** Of a whole project, TypeScript without what is the same for every schema, and one module as it runs. */
const readable = /^(?!client\/|dist\/).+\.ts$|^[a-z]+\.js$|^dist\/decisions\/Rent(\.d\.ts|\.js)$/;

folderCases(import.meta.url, 'cases', async (input) => {
  const files = await projectOf(schemaIn(input));
  const about = input['about.txt']?.trim().split('\n');
  const shown = files.filter(({ path }) => (about === undefined ? readable.test(path) : about.includes(path)));
  if (about !== undefined && shown.length !== about.length) throw new Error('a file that the case is about is missing');
  return Object.fromEntries(shown.map(({ path, text }) => [`generated/${path}`, text]));
});

function schemaIn(input: CaseInput): string {
  return Object.entries(input)
    .filter(([path]) => path.endsWith('.schema'))
    .map(([, text]) => text)
    .join('\n');
}

test.run();
