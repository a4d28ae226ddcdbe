import type { AsOf, BlockStatement, Diagnostic, Span, Spans } from '../../compiler/index.ts';
import type { CallerIdentity } from '../../language/contract/caller.ts';
import type { Engine } from '../../runtime/engine/engine.ts';
import { operator, type Caller } from '../operation/caller.ts';
import type { Row } from '../../runtime/store/store.ts';
import type { LiveRegistry } from '../registry/live/live-registry.ts';
import type { DomainLoader } from '../registry/load/domain-loader.ts';
import type { OtherStores } from '../place/other-stores.ts';
import type { CompiledPlace } from '../place/place.ts';
import type { SessionClock } from './session-clock.ts';
import type { SessionTables } from './tables.ts';
import type { Standings } from '../../runtime/delivery/standing.ts';

/** The environment of every statement of a session. */
export interface SessionContext {
  readonly engine: Engine;
  readonly live: LiveRegistry;
  readonly tables: SessionTables;
  /** µs since 1970, for inspections. */
  readonly clock: () => bigint;
  readonly random: () => number;
  /** The clock that ADVANCE CLOCK moves; only a session in memory has one. */
  readonly sessionClock?: SessionClock;
  /** Reactions answer within the session: before a statement begins, everything that is due has been done. */
  readonly reacts?: boolean;
  readonly uuid: () => string;
  /** Progress of subscriptions and reactions of the session's own store. */
  readonly standings: Standings;
  /** The rows of `meta_inspections`, for DESCRIBE. */
  readonly inspections: () => Promise<readonly Row[]>;
  /** An interactive session: a payload field that no event carries yet is NULL (docs/language.md#choices). */
  readonly lenientPayload: boolean;
  /** No other caller waits for the store, so a long inspection may hold it. */
  readonly alone?: boolean;
  /** Makes candidates run (WITH SCHEMA). */
  readonly loader: DomainLoader;
  /** The text of a file that WITH SCHEMA FILE names; throws R0511. If absent the session has no files. */
  readonly readSchema?: (path: string) => string;
  /** If absent, naming another event store is refused. */
  readonly otherStores?: OtherStores;
}

/** A statement during its run. */
export interface StatementContext extends SessionContext {
  readonly span: Span;
  /** The statement as typed, with its `;`. */
  readonly text: string;
  readonly forward: readonly BlockStatement[];
  readonly warn: (warning: Diagnostic) => void;
  /** Reports the progress of long work; it also lets other work have a turn, and is awaited for that. Throws R0303 when the statement is to stop. */
  readonly progress: (said: string) => Promise<void>;
  /** Aborted when the statement is to stop. */
  readonly signal?: AbortSignal;
  /** The session's own store. */
  readonly own: CompiledPlace;
  /** The store that `Reg` means for this statement: the session's own, the one in use, or that of USING EVENTSTORE. */
  readonly reg: CompiledPlace;
  /** The place whose past `reg` shows, which decides what the caller may see of it; absent in the present. */
  readonly present?: CompiledPlace;
  /** The other stores that the statement names. */
  readonly others: ReadonlyMap<string, CompiledPlace>;
  /** The places of its bound expressions, for a failure of one of them. */
  readonly spans: Spans;
  /** The moment that the statement asks for. */
  readonly asOf?: AsOf | undefined;
  /** The caller that SET CALLER has set; `setCaller` sets it for every later statement. */
  readonly caller?: CallerIdentity | undefined;
  readonly setCaller: (caller: CallerIdentity | undefined) => void;
}

/** The caller of operations: the user of the session, in the name of the caller that is set. */
export function sessionCaller({ caller }: Pick<StatementContext, 'caller'>): Caller {
  return caller === undefined
    ? operator
    : { ...operator, subject: caller.subject, except: ['sensitive:read', 'rows:all'], identity: caller };
}

/** The store that a relation belongs to, by the name before its dot. */
export function placeOf(
  { reg, others }: Pick<StatementContext, 'reg' | 'others'>,
  store: string | undefined,
): CompiledPlace {
  return (store === undefined ? undefined : others.get(store)) ?? reg;
}
