import type { Registry } from '../../compiler/index.ts';
import type { Domain } from '../../language/contract/domain.ts';
import type { Soon } from '../../language/failure/soon.ts';
import type { Engine } from '../../runtime/engine/engine.ts';
import type { Moment } from '../../runtime/store/journal/moment.ts';

/** The data that a question is about, and the definitions by which it is read: now, at a moment, of a candidate, or of another store. */
export interface Place {
  readonly engine: Engine;
  readonly domain: Domain;
  readonly registry: () => Soon<Registry>;
  /** The relations of its engine are those of its domain as it is now. */
  readonly isLive: boolean;
  /** The moment that it shows; its time is the value of CURRENT_TIMESTAMP. */
  readonly moment?: Moment;
  /** The EVENTSTORE block that names it; absent for the own store. */
  readonly store?: string;
  /** Releases what was opened for this place alone; called once, soon after its use. */
  readonly close: () => Promise<void>;
}

/** A place whose definitions are compiled already. */
export interface CompiledPlace extends Place {
  readonly registry: () => Registry;
}

/** An engine and a domain that is in force, or was a moment ago. */
export function placeNow<R extends Place['registry']>(
  engine: Engine,
  domain: Domain,
  registry: R,
): Place & { readonly registry: R } {
  return Object.freeze({ engine, domain, registry, isLive: true, close: nothingToClose });
}

export function nothingToClose(): Promise<void> {
  return Promise.resolve();
}
