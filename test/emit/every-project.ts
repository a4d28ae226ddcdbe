import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readTree } from '../kit/cases.ts';
import { projectOf } from './compiled.ts';
import type { Projects } from './generated-project.ts';
import { samples } from './samples.ts';

const cases = fileURLToPath(new URL('cases', import.meta.url));
const examples = fileURLToPath(new URL('../../examples', import.meta.url));

/** The generated projects of the samples, the golden cases and the examples. */
export async function everyProject(): Promise<Projects> {
  const texts: Record<string, string> = { ...samples };
  for (const name of folders(cases)) texts[`case-${name}`] = schemaText(join(cases, name));
  for (const name of folders(examples)) texts[`example-${name}`] = schemaText(join(examples, name, 'schema'));
  const projects = Object.entries(texts).map(async ([name, text]) => [name, await projectOf(text)] as const);
  return Object.fromEntries(await Promise.all(projects));
}

function folders(home: string): readonly string[] {
  return readdirSync(home, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
}

function schemaText(folder: string): string {
  const files = Object.entries(readTree(folder)).filter(([path]) => path.endsWith('.schema'));
  return files.map(([, text]) => text).join('\n');
}
