import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';
import { fail } from '../../language/failure/failure.ts';
import { onceDone } from '../../language/failure/once-done.ts';

/** More than the number of files of one part, which are read at the same time. */
const descriptors = 64;

/**
 * A part of the program that is loaded after the start, once. While it cannot be loaded, each caller gets a `Failure` R0411 with the reason
 * (`cause` has all details), and the next caller tries again.
 */
export function latePart<T>(part: string, load: () => Promise<T>): () => Promise<T> {
  return onceDone(async () => {
    try {
      checkDescriptors();
      return await load();
    } catch (error) {
      const failure = fail('R0411', { part, problem: reasonOf(error) });
      failure.cause = error;
      throw failure;
    }
  });
}

/** Node itself keeps the failure of an import for the life of the process, so an import that would lack descriptors is not started. */
function checkDescriptors(): void {
  const opened: number[] = [];
  try {
    while (opened.length < descriptors) opened.push(openSync(devNull, 'r'));
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
}

/** Without paths of the machine, which Node's messages contain. */
function reasonOf(error: unknown): string {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  switch (code) {
    case 'EMFILE':
    case 'ENFILE':
      return 'too many files and connections are open';
    case 'ENOENT':
    case 'ERR_MODULE_NOT_FOUND':
      return 'its files are missing; restart the server';
    default:
      return code ?? 'see the log of the server';
  }
}
