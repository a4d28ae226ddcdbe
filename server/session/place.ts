import type { Registry } from '../../compiler/index.ts';
import type { Engine } from '../../runtime/engine/engine.ts';

/** A store that statements read, with the blocks by which it is read. */
export interface Place {
  /** The EVENTSTORE block that names it; undefined for the session's own. */
  readonly store?: string;
  readonly registry: Registry;
  readonly engine: Engine;
}

/** The places of a statement. */
interface Places {
  readonly reg: Place;
  readonly others: ReadonlyMap<string, Place>;
}

/** The store that a relation belongs to, by the name before its dot. */
export function placeOf({ reg, others }: Places, store: string | undefined): Place {
  return (store === undefined ? undefined : others.get(store)) ?? reg;
}
