import { blockKey, type BlockKey } from '../../../language/contract/block-kind.ts';
import type { RegisteredBlock } from '../../../language/contract/domain.ts';
import { defined } from '../../../language/values/defined.ts';
import type { SchemaChange, SchemaEntry } from '../../../runtime/store/entry.ts';
import { isSameDefinition } from './same-definition.ts';

/** A block as the log last defined it. */
export interface LoggedBlock extends RegisteredBlock {
  readonly origin: SchemaEntry['origin'];
}

/** The decision at start-up about differences between files and log (docs/operation.md#changing-the-schema). */
export interface Reconciled {
  /** To be appended: definitions that the files add, replace or retire. */
  readonly changes: readonly SchemaChange[];
  /** Blocks of the log that are not in the files and stay in force: they were posted. */
  readonly kept: readonly LoggedBlock[];
  /** Blocks whose last definition was posted and differs from the files'; with `accept` there are none. */
  readonly conflicts: readonly { readonly files: RegisteredBlock; readonly log: LoggedBlock }[];
}

/**
 * Compares the files' blocks with the log's. Files may add, replace and retire blocks written by files; a posted block that differs is a
 * conflict, unless `accept` says which definition to use. A posted block that differs in doc comments only gets those of the files.
 */
export async function reconcile(
  files: readonly RegisteredBlock[],
  log: readonly LoggedBlock[],
  accept?: 'files' | 'log',
): Promise<Reconciled> {
  const logged = new Map(log.map((block) => [keyOf(block), block]));
  const changes: SchemaChange[] = [];
  const kept: LoggedBlock[] = [];
  const conflicts: { files: RegisteredBlock; log: LoggedBlock }[] = [];
  for (const block of files) {
    const known = logged.get(keyOf(block));
    logged.delete(keyOf(block));
    if (known?.text === block.text) continue;
    if (known?.origin !== 'create' || accept === 'files') changes.push(putChange(block));
    else if (accept === 'log') kept.push(known);
    else if (!(await isSameDefinition(known.text, block.text))) conflicts.push({ files: block, log: known });
  }
  for (const block of logged.values()) {
    if (block.origin === 'create') kept.push(block);
    else changes.push({ change: 'drop', block: block.kind, name: block.name });
  }
  return { changes, kept, conflicts };
}

function keyOf({ kind, name }: RegisteredBlock): BlockKey {
  return blockKey(kind, name);
}

function putChange({ kind: block, name, text, template, instance, instances }: RegisteredBlock): SchemaChange {
  return defined<SchemaChange>({ change: 'put', block, name, text, template, instance, instances });
}
