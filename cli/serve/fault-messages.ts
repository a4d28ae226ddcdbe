import type { Diagnostic } from '../../language/diagnostics/diagnostic.ts';
import type { Shell } from '../shell.ts';

export interface FaultMessages {
  /** After each compilation: says `consequence` when errors appear, and afterwards which files have none any longer. */
  readonly compiled: (diagnostics: readonly Diagnostic[], consequence: string) => void;
}

/** Messages of a watching command that are not diagnostics, so that the end of an error is as visible as its beginning. */
export function createFaultMessages({ output, messages }: Pick<Shell, 'output' | 'messages'>): FaultMessages {
  let faulty: ReadonlySet<string> = new Set();
  return {
    compiled: (diagnostics, consequence) => {
      const now = new Set(diagnostics.flatMap(({ severity, span }) => (severity === 'error' ? [span.file.name] : [])));
      const repaired = Array.from(faulty).filter((name) => !now.has(name));
      if (repaired.length > 0) output.write(`without errors again: ${repaired.join(', ')}\n`);
      if (now.size > 0 && faulty.size === 0) messages.write(`${consequence}\n`);
      faulty = now;
    },
  };
}
