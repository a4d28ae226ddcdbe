import type { BlockStatement, Diagnostic, Span } from '../../compiler/index.ts';
import type { Engine } from '../../runtime/engine/engine.ts';
import type { InspectionRecord } from '../registry/inspections.ts';
import type { LiveRegistry } from '../registry/live/live-registry.ts';
import type { OtherStores } from './other-stores.ts';
import type { Place } from './place.ts';
import type { SessionTables } from './tables.ts';

/** What every statement of a session works with. */
export interface SessionContext {
  readonly engine: Engine;
  readonly live: LiveRegistry;
  readonly tables: SessionTables;
  /** µs since 1970, for inspections. */
  readonly clock: () => bigint;
  readonly random: () => number;
  readonly uuid: () => string;
  /** Recorded inspections, for DESCRIBE. */
  readonly inspections: () => Promise<readonly InspectionRecord[]>;
  /** An interactive session: a payload field that no event carries yet is NULL (language.md section 4, AGGREGATE). */
  readonly lenientPayload: boolean;
  /**
   * The session's own store as it stands now, opened once more beside it: where others wait for the store itself, long inspections run
   * there. The engine is the caller's to close.
   */
  readonly aside?: () => Promise<Place>;
  /** Without it, naming another event store is refused. */
  readonly otherStores?: OtherStores;
}

/** One statement at its turn. */
export interface StatementContext extends SessionContext {
  readonly span: Span;
  /** The statement as typed, with its `;`. */
  readonly text: string;
  readonly forward: readonly BlockStatement[];
  readonly warn: (warning: Diagnostic) => void;
  /** Tells how far long work has come; it also lets others have a turn, and is awaited for that. Throws R0303 once it shall stop. */
  readonly progress: (said: string) => Promise<void>;
  /** Aborted when the statement shall stop. */
  readonly signal?: AbortSignal;
  /** The session's own store. */
  readonly own: Place;
  /** The store that `Reg` means while this statement reads: the own one, the one in use, or that of USING EVENTSTORE. */
  readonly reg: Place;
  /** The other stores that the statement names. */
  readonly others: ReadonlyMap<string, Place>;
}
