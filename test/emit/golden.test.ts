/**
 * Generated files for review: one whole project, and of the other cases the files that they test, listed in
 * `about.txt`.
 */
import { test } from 'uvu';
import { folderCases, type CaseInput } from '../kit/cases.ts';
import { projectOf } from './compiled.ts';

/** The readable files of a whole project: its TypeScript, its data, what starts it, and the JavaScript of one block. */
const readable = /^(?!dist\/).+\.ts$|^server\.js$|^catalog\.json$|^dist\/index\.js$|^dist\/decisions\/Rent\.js$/;

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
