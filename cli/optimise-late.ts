import { setFlagsFromString } from 'node:v8';

/**
 * For commands that end within seconds: makes V8 wait eight times longer before it optimises a function. Otherwise the optimising compiler's
 * thread takes a quarter of the processor time of a `check` [measured], and saves little of it before the end. Only V8 11, of Node 20,
 * optimises so early and has this flag; later versions count calls.
 */
export function optimiseLate(): void {
  if (process.versions.v8.startsWith('11.')) setFlagsFromString('--interrupt-budget=540672');
}
