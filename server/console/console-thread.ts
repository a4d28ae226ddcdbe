/** Compiles console queries in a thread of its own: parsing a text of the maximum size would block all other requests. */
import { parentPort, workerData } from 'node:worker_threads';
import type { Catalog, StoredHistory } from '../../compiler/index.ts';
import type { RegisteredBlock } from '../../language/contract/domain.ts';
import { lowerPriority } from '../../runtime/store/disk/lower-priority.ts';
import { compileBlocks } from '../registry/from-log/compile-blocks.ts';
import type { ConsoleText } from '../http/options.ts';
import type { ConsoleLimits } from './console-limits.ts';
import { compileConsoleQuery, type ConsoleQuery, type ConsoleReader } from './console-query.ts';

/** `registry` is present when it differs from the last one: definitions that were already accepted. */
export interface ConsoleQuestion {
  readonly id: number;
  readonly registry?: { readonly blocks: readonly RegisteredBlock[]; readonly history: StoredHistory };
  readonly text: ConsoleText;
  readonly reader: ConsoleReader;
}
export type ConsoleReply =
  /** The thread runs. */
  | { readonly reply: 'ready' }
  /** The registry is loaded: from here on the time is spent on the caller's own text. */
  | { readonly reply: 'begun'; readonly id: number }
  | { readonly reply: 'done'; readonly id: number; readonly compiled: ConsoleQuery; readonly took: number }
  | { readonly reply: 'failed'; readonly id: number; readonly message: string };

const parent = parentPort;
if (parent === null) throw new Error('this compiles the queries of a console, to be run as its thread');
lowerPriority();
const tell = (reply: ConsoleReply): void => parent.postMessage(reply);
const limits = workerData as ConsoleLimits;
let catalog: Catalog | undefined;

parent.on('message', ({ id, registry, text, reader }: ConsoleQuestion) => {
  try {
    if (registry !== undefined) catalog = compileBlocks(registry.blocks, registry.history).catalog;
    if (catalog === undefined) throw new Error('the first question brings the blocks');
    tell({ reply: 'begun', id });
    const begun = performance.now();
    const compiled = compileConsoleQuery(catalog, text, reader, limits);
    tell({ reply: 'done', id, compiled, took: Math.floor(performance.now() - begun) });
  } catch (error) {
    tell({ reply: 'failed', id, message: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
});
tell({ reply: 'ready' });
