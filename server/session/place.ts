import type { Registry } from '../../compiler/index.ts';
import type { Engine } from '../../runtime/engine/engine.ts';

/** A store that statements read, with the blocks by which it is read. */
export interface Place {
  /** The EVENTSTORE block that names it; undefined for the session's own. */
  readonly store?: string;
  readonly registry: Registry;
  readonly engine: Engine;
}
