import { setFlagsFromString } from 'node:v8';

/**
 * For commands that end within seconds: lets V8 optimise what runs eight times longer than it would wait. The optimising compiler's
 * thread else takes a quarter of the processor time of a `check` [measured], and gives little of it back before the end. Only V8 11,
 * of Node 20, is so eager and has this flag; later ones count calls.
 */
export function optimiseLate(): void {
  if (process.versions.v8.startsWith('11.')) setFlagsFromString('--interrupt-budget=540672');
}
