import { createEngine, type EngineOptions } from '../../engine/create-engine.ts';
import type { Engine } from '../../engine/engine.ts';
import type { ReactorRuns } from '../../engine/reactions.ts';
import { createReactor } from './reactor.ts';

export interface ReactingEngineOptions extends EngineOptions {
  /** Lets reactions answer events, until the engine is closed; `never` by default, as for an engine that only reads. */
  readonly reactions?: ReactorRuns;
  /** Receives a fault of the program in a reaction. */
  readonly onFault?: (error: unknown) => void;
}

/** An engine whose reactions answer events. */
export function createReactingEngine(options: ReactingEngineOptions): Promise<Engine> {
  const { readOnly = false, reactions: runs = 'never', onFault = raise } = options;
  return createEngine(options, (parts) => createReactor({ ...parts, runs: readOnly ? 'never' : runs, onFault }));
}

/** No caller waits for the work of a reaction, so a fault in it ends the process as any other does. */
function raise(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
