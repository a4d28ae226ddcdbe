import type { Domain } from '../../../language/contract/domain.ts';
import type { Selection } from '../../../language/contract/selection.ts';
import type { Engine } from '../../../runtime/engine/engine.ts';
import type { QueryOptions } from '../../../runtime/store/store.ts';
import type { FollowedRows } from '../bind/followed-rows.ts';
import type { CompiledSelection, SelectionThen } from '../bind/select-relation.ts';
import type { Asker } from '../asker.ts';
import type { Caller } from '../caller.ts';
import type { Computing, Lease, RoomLimits } from '../room/held-results.ts';

/** Compiles a selection for a domain, which is not always the newest one; `asker` is the caller by whom its rows are chosen. */
export type Select = (domain: Domain, selection: Selection, asker?: Asker) => Promise<CompiledSelection>;

/** Compiles a selection in a place as of a moment, where the present decides which rows are shown. */
export type SelectThen = (domain: Domain, selection: Selection, asker: Asker) => Promise<SelectionThen>;

/** Parts of reading that need the compiler. */
export interface LateReads {
  readonly select: Select;
  readonly selectThen: SelectThen;
  readonly followed: (domain: Domain, aggregate: string, asker: Asker) => Promise<FollowedRows>;
}

/** A read: its caller, its place, and the limits of its answer. */
export interface Reader {
  readonly options: {
    readonly engine: Engine;
    readonly late: () => Promise<LateReads>;
    readonly settings: { readonly limits: RoomLimits };
    readonly time: { readonly monotonic: () => number };
  };
  /** The handler table that the read began with, and finishes on. */
  readonly domain: Domain;
  readonly caller: Caller;
  /** Its share of the budget of all results. */
  readonly lease: Lease;
  /** For its queries: the entries that it needs are there, and the answer says which it shows. */
  readonly reading: Required<Pick<QueryOptions, 'local' | 'shows'>>;
  /** The engine of the present, of an answer from past relations. */
  readonly present?: Engine;
  /** The time that expressions see, in µs since 1970, of an answer about the past. */
  readonly instant?: bigint;
  /** Present if not the read model of the present computes its results, which then do not wait for each other. */
  readonly computing?: Extract<Computing, 'other'>;
}
