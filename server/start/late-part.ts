import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';
import { fail } from '../../language/failure/failure.ts';
import { onceDone } from '../../language/failure/once-done.ts';

/** More than the files that one part consists of, which are read at the same time. */
const descriptors = 64;

/**
 * A part of the program that is loaded after the start, once. While it cannot be loaded, each caller gets a `Failure` R0411 that says why
 * (`cause` says all), and the next caller tries again.
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

/** Node itself keeps the failure of an import for as long as the process lives, so one that would lack descriptors is not begun. */
function checkDescriptors(): void {
  const opened: number[] = [];
  try {
    while (opened.length < descriptors) opened.push(openSync(devNull, 'r'));
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
}

/** Without paths of the machine, which Node's messages name. */
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
      return code ?? 'the log of the server says more';
  }
}
