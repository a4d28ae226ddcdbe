import type { CommandBlock, EventBlock } from '../language/catalog/block.ts';
import type { Docs } from '../language/contract/docs.ts';
import type { Column } from '../language/contract/query.ts';

/** The parts of blocks that a client shows. */
export interface ClientBlocks {
  /** Columns are those of the state. */
  readonly aggregates: readonly (ClientTable & { readonly events: readonly string[] })[];
  readonly commands: readonly ClientCommand[];
  readonly decisions: readonly ClientDecision[];
  readonly events: readonly ClientEvent[];
  readonly projections: readonly ClientTable[];
  /** Subscriptions whose rows are handed out, and not sent to an address. */
  readonly subscriptions: readonly ClientTable[];
}

export type ClientCommand = Documented & Pick<CommandBlock, 'name' | 'fields'>;
export type ClientEvent = Documented & Pick<EventBlock, 'name' | 'fields'>;

interface Documented {
  readonly docs?: Docs;
}

export interface ClientTable extends Documented {
  readonly name: string;
  readonly columns: readonly Column[];
}

export interface ClientDecision extends ClientTable {
  readonly aggregate: string;
  readonly command: string;
  /** The events that it can emit, sorted. */
  readonly events: readonly string[];
}
