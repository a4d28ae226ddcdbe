import { setFlagsFromString } from 'node:v8';

/**
 * For a process that serves: each thread collects its young objects alone. V8 would share this work among up to five threads; of a server's young
 * objects hardly any live, so waking the others costs more than what they do: a tenth of the processor time of many commands
 * (docs/performance/commands.md).
 */
export function collectAlone(): void {
  // The versions of Node 20 to 24; V8 would complain about a flag that it does not have.
  if (/^1[1-3]\./.test(process.versions.v8)) setFlagsFromString('--no-parallel-scavenge');
}
