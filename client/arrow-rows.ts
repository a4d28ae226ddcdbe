import type * as Arrow from 'apache-arrow';
import { columnReader } from './arrow-column.ts';
import type { Answer } from './ask.ts';
import { ClientError } from './client-error.ts';
import { reshape, type Columns } from './column-types.ts';

export const arrowType = 'application/vnd.apache.arrow.stream';
/** The end of an Arrow stream. Without this check a stream that was cut between two batches would look complete. */
const endMark: readonly number[] = [0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0];

/** The rows of an answer in Arrow, one record batch at a time; the next bytes are read after the batch was taken. */
export async function* arrowRows(answer: Answer, columns: Columns): AsyncGenerator<readonly Record<string, unknown>[]> {
  const arrow = await loadArrow();
  const source = watched(answer.chunks);
  try {
    for await (const batch of batchesOf(arrow, source)) yield rowsOf(arrow, batch, columns);
    source.checkEnd();
  } catch (error) {
    throw source.failure() ?? new ClientError('damaged', 'the answer cannot be read as Arrow', { cause: error });
  } finally {
    await source.chunks.return(undefined);
  }
}

/** Loaded only when Arrow is read, so that a client with JSON needs no package. */
async function loadArrow(): Promise<typeof Arrow> {
  try {
    return await import('apache-arrow');
  } catch (cause) {
    const how = "install it, or create the client with format: 'json'";
    throw new Error(`tables travel as Arrow, which is read by the package apache-arrow: ${how}`, { cause });
  }
}

async function* batchesOf(arrow: typeof Arrow, { chunks }: Watched): AsyncGenerator<Arrow.RecordBatch> {
  const reader = await arrow.RecordBatchReader.from(chunks);
  yield* reader;
}

function rowsOf(arrow: typeof Arrow, batch: Arrow.RecordBatch, columns: Columns): readonly Record<string, unknown>[] {
  const readers = batch.schema.fields.flatMap(({ name }, at) => {
    const data = batch.data.children[at];
    const type = Object.hasOwn(columns, name) ? columns[name] : undefined;
    const isFirst = batch.schema.fields.findIndex((field) => field.name === name) === at;
    if (data === undefined || type === undefined || !isFirst) return [];
    const read = columnReader(arrow, data);
    const shape = reshape(type, parseJson);
    return [[name, (index: number) => shape(read(index))] as const];
  });
  const rowAt = (index: number): Record<string, unknown> =>
    Object.fromEntries(readers.map(([name, read]) => [name, read(index)]));
  return Array.from({ length: batch.numRows }, (_, index) => rowAt(index));
}

/** A JSON value is sent as its text. */
export function parseJson(text: unknown): unknown {
  return JSON.parse(String(text)) as unknown;
}

interface Watched {
  readonly chunks: AsyncGenerator<Uint8Array>;
  /** The failure of the bytes themselves, whatever the reader made of it. */
  readonly failure: () => Error | undefined;
  readonly checkEnd: () => void;
}

function watched(chunks: AsyncIterable<Uint8Array>): Watched {
  let failed: Error | undefined;
  let tail: readonly number[] = [];
  const checkEnd = (): void => {
    if (endMark.every((byte, at) => tail[at] === byte)) return;
    failed ??= new ClientError('unreachable', 'the answer ended too early');
    throw failed;
  };
  async function* pass(): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of chunks) {
        tail = [...tail, ...chunk.subarray(-endMark.length)].slice(-endMark.length);
        yield chunk;
      }
      checkEnd();
    } catch (error) {
      failed = error as Error; // A signal's reason may be anything; it is thrown unchanged.
      throw error;
    }
  }
  return { chunks: pass(), failure: () => failed, checkEnd };
}
