/**
 * The entries of the log (docs/architecture.md#the-log). Everything durable is one of these; the rest is derived. Entries are plain data
 * with JSON-safe leaves; `number` counts entries from 1 without gaps, `position` counts events of the store in the same way.
 */
import type { BlockKind } from '../../language/contract/block-kind.ts';
import type { CommandCells } from './cells.ts';

export type LogEntry = {
  readonly number: number;
  /** µs since 1970, as text; never decreases inside a store. */ readonly at: string;
} & EntryBody;
export type EntryBody = CommandEntry | SchemaEntry | InspectionEntry;

/** The events of one command, or the recorded rejection of a command that carried an id. */
export interface CommandEntry {
  readonly kind: 'command';
  readonly command: string;
  /** The command's own stream; its events may go to others. */
  readonly streamType: string;
  readonly streamId: string;
  readonly events: readonly StoredEvent[];
  readonly commandId?: string;
  /** Compared with a command that is sent again. With `commandId` only. */
  readonly fingerprint?: string;
  /** JSON text of the masked rejection. With `commandId` only. */
  readonly rejection?: string;
  readonly correlationId?: string;
  readonly causationId?: string;
  /** Other recorded facts, by name; absent when there are none. */
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
  /** For a template: all its instances, with their arguments. */
  readonly instances?: readonly TemplateInstance[];
}
export interface TemplateInstance {
  readonly name: string;
  readonly parameters: string;
}
export interface InspectionEntry {
  readonly kind: 'inspection';
  readonly name: string;
  readonly inspected: 'Decision' | 'Projection' | 'Reaction';
  readonly block: string;
  readonly input: string;
  readonly fullSql: string;
}

/** The events of a kind that are stored. */
export interface EventKind {
  readonly aggregate: string;
  readonly event: string;
  readonly version: number;
  /** Number of them that are stored, at least 1. */
  readonly count: number;
}
