import type { Column } from '../../../language/contract/query.ts';
import type { Domain } from '../../../language/contract/domain.ts';
import type { Table } from '../../../runtime/engine/outcome.ts';
import type { EndReason } from './end-reason.ts';
import type { Loss } from './seen-rows.ts';
import type { EventColumns } from './source.ts';

/** The end of a stream; `retry` is the pause in ms that the client is asked for before it connects again. */
export interface StreamEnd {
  readonly reason: EndReason;
  readonly position: number;
  readonly retry?: number;
}

/** Writes the parts of a stream, in the form of a door. */
export interface Printing {
  /** Pages of one key are written alike, so that followers share them. */
  readonly key: string;
  /** The stream has one set of columns from its beginning to its end. */
  readonly hasFixedColumns: boolean;
  /** Before anything else, with the position from which the stream follows. */
  readonly begin: (columns: readonly Column[], position: number, retry: number) => Uint8Array;
  readonly rows: (table: Table) => Uint8Array;
  /** Writes rows by column, in the order of the log and at most `most`; absent where only rows can be written. */
  readonly columns?: (domain: Domain, parts: readonly EventColumns[], most: number) => PrintedEvents;
  /** All events up to the position were looked at. */
  readonly mark: (columns: readonly Column[], position: number) => Uint8Array;
  /** In place of an event that took its stream away from the follower. */
  readonly hidden: (columns: readonly Column[], loss: Loss) => Uint8Array;
  readonly end: (columns: readonly Column[], end: StreamEnd) => Uint8Array;
}

export interface PrintedEvents {
  readonly bytes: Uint8Array;
  readonly rows: number;
  /** Position of the last one; undefined without rows. */
  readonly last: number | undefined;
}
