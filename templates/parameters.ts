import type { FunctionPart, Statement } from './module.ts';
import { mentions } from './mentions.ts';

type Parameter = FunctionPart['parameters'][number];

/**
 * The parameters of a function that is called by position: those after the last one that its body reads are left out,
 * and unread ones before it get a name that says so.
 */
export function readParameters(offered: readonly Parameter[], body: readonly Statement[]): readonly Parameter[] {
  const read = offered.map(({ name }) => mentions(body, name));
  return offered
    .slice(0, read.lastIndexOf(true) + 1)
    .map((parameter, index) => (read[index] === true ? parameter : { name: `_${parameter.name}`, type: 'unknown' }));
}
