/** Compiles queries that come as text in a thread of its own: parsing a text of the maximum size would block all other requests. */
import { parentPort, workerData } from 'node:worker_threads';
import type { Catalog, StoredHistory } from '../../../compiler/index.ts';
import type { RegisteredBlock } from '../../../language/contract/domain.ts';
import type { FailureCode } from '../../../language/failure/catalogue.ts';
import { Failure } from '../../../language/failure/failure.ts';
import { lowerPriority } from '../../../runtime/store/disk/lower-priority.ts';
import { compileBlocks } from '../../registry/from-log/compile-blocks.ts';
import type { Caller } from '../caller.ts';
import { TextRefused } from '../text-refused.ts';
import type { QueryText } from './asked.ts';
import { compileText, type CompiledText } from './compile-text.ts';
import type { QueryLimits } from './query-limits.ts';

/** `registry` is present when it differs from the last one: definitions that were already accepted. */
export interface TextQuestion {
  readonly id: number;
  readonly registry?: { readonly blocks: readonly RegisteredBlock[]; readonly history: StoredHistory };
  readonly text: Omit<QueryText, 'signal'>;
  readonly caller: Caller;
}
export type TextReply =
  /** The thread runs. */
  | { readonly reply: 'ready' }
  /** The registry is loaded: from here on the time is spent on the caller's own text. */
  | { readonly reply: 'begun'; readonly id: number }
  | { readonly reply: 'done'; readonly id: number; readonly compiled: CompiledText; readonly took: number }
  | {
      readonly reply: 'refused';
      readonly id: number;
      readonly because: Pick<TextRefused, 'why' | 'messages' | 'denied'>;
    }
  /** The token of the caller has a claim of another type. */
  | { readonly reply: 'unreadable'; readonly id: number; readonly code: FailureCode; readonly message: string }
  | { readonly reply: 'failed'; readonly id: number; readonly message: string };

const parent = parentPort;
if (parent === null) throw new Error('this compiles queries, to be run as a thread');
lowerPriority();
const tell = (reply: TextReply): void => parent.postMessage(reply);
const limits = workerData as QueryLimits;
let catalog: Catalog | undefined;

parent.on('message', ({ id, registry, text, caller }: TextQuestion) => {
  try {
    if (registry !== undefined) catalog = compileBlocks(registry.blocks, registry.history).catalog;
    if (catalog === undefined) throw new Error('the first question brings the blocks');
    tell({ reply: 'begun', id });
    const begun = performance.now();
    const compiled = compileText(catalog, text, caller, limits);
    tell({ reply: 'done', id, compiled, took: Math.floor(performance.now() - begun) });
  } catch (error) {
    if (error instanceof TextRefused) {
      const { why, messages, denied } = error;
      tell({ reply: 'refused', id, because: { why, messages, denied } });
    } else if (error instanceof Failure && error.kind === 'credentials')
      tell({ reply: 'unreadable', id, code: error.code, message: error.message });
    else
      tell({ reply: 'failed', id, message: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
});
tell({ reply: 'ready' });
