/**
 * What the log holds (docs/architecture.md#the-log). Everything durable is one of these; all else is derived. Entries are plain
 * data with JSON-safe leaves; `number` counts entries from 1 without gaps, `position` counts events of the store likewise.
 */
import type { BlockKind } from '../../language/contract/block-kind.ts';
import type { CommandCells } from './cells.ts';

export type LogEntry = {
  readonly number: number;
  /** µs since 1970, as text; never falls inside a store. */ readonly at: string;
} & EntryBody;
export type EntryBody = CommandEntry | SchemaEntry | InspectionEntry;

/** The events of one command, or the recorded rejection of a command that carried an id. */
export interface CommandEntry {
  readonly kind: 'command';
  readonly command: string;
  /** The command's own stream; events may land in others. */
  readonly streamType: string;
  readonly streamId: string;
  readonly events: readonly StoredEvent[];
  readonly commandId?: string;
  /** What a command that is sent again is compared with. With `commandId` only. */
  readonly fingerprint?: string;
  /** JSON text of the masked rejection. With `commandId` only. */
  readonly rejection?: string;
  readonly correlationId?: string;
  readonly causationId?: string;
  /** What else is recorded, by name; absent where nothing is. */
  readonly cells?: CommandCells;
}
export interface StoredEvent {
  readonly position: number;
  readonly id: string;
  readonly type: string;
  readonly version: number;
  readonly streamType: string;
  readonly streamId: string;
  readonly seq: number;
  /** JSON object text in the payload forms of `values/type.ts`. */
  readonly data: string;
}
export interface SchemaEntry {
  readonly kind: 'schema';
  readonly origin: 'files' | 'create';
  readonly changes: readonly SchemaChange[];
}
export interface SchemaChange {
  readonly change: 'put' | 'drop';
  readonly block: BlockKind;
  readonly name: string;
  /** Canonical print; absent for a drop. */
  readonly text?: string;
  readonly template?: string;
  readonly instance?: string;
  /** Of a template: all its instances, with what they were given. */
  readonly instances?: readonly TemplateInstance[];
}
export interface TemplateInstance {
  readonly name: string;
  readonly parameters: string;
}
export interface InspectionEntry {
  readonly kind: 'inspection';
  readonly name: string;
  readonly inspected: 'Decision' | 'Projection';
  readonly block: string;
  readonly input: string;
  readonly fullSql: string;
}
