/** Decides when a read model in memory is too large for further appends. */
import type { StoreLog } from '../disk.ts';
import type { Tables } from './tables.ts';

export interface MemoryLimit {
  /** Why nothing may be appended now. */
  readonly full: () => string | undefined;
  /** Sentences about what needs attention. */
  readonly notes: () => readonly string[];
}

/** The default maximum memory of a read model: past it SQLite in WebAssembly neither answers nor fails. */
export const defaultMaxBytes = 2 * 1024 * 1024 * 1024;
const mebibyte = 1024 * 1024;

export function createMemoryLimit(
  state: Tables['state'],
  { maxBytes, kind, log }: { readonly maxBytes: number; readonly kind: string; readonly log: StoreLog },
): MemoryLimit {
  let warned = false;
  const use = (bytes: number): string => {
    const wayOut =
      kind === 'embedded' ? "; read.engine = 'disk' in the EVENTSTORE keeps it on disk from the next start on" : '';
    return `the read model takes ${Math.round(bytes / mebibyte)} MiB of at most ${Math.round(maxBytes / mebibyte)} MiB${wayOut}`;
  };
  return {
    full: () => {
      const { bytes } = state();
      if (bytes > maxBytes / 2 && !warned) {
        warned = true;
        log('warn', use(bytes));
      }
      if (bytes <= maxBytes) return undefined;
      return `the read model takes ${Math.round(bytes / mebibyte)} MiB, more than the ${Math.round(maxBytes / mebibyte)} MiB allowed`;
    },
    notes: () => {
      const { bytes } = state();
      return bytes > maxBytes / 2 ? [`${use(bytes)}; past the limit nothing is written`] : [];
    },
  };
}
