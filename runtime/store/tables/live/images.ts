/** The images from which a read model starts instead of the whole log: its tables as they were after some entry. */
import { Failure } from '../../../../language/failure/failure.ts';
import type { StoreLog } from '../../disk.ts';
import { PortDied, type Conversation } from '../thread/conversation.ts';
import type { Loaded } from '../core/messages.ts';

export interface StoredImage {
  readonly name: string;
  readonly image: Uint8Array;
  readonly checksum: number;
  /** Whether it belongs to this log: the line of that entry has that checksum. */
  readonly fits: (entry: number, checksum: number) => Promise<boolean>;
}

/** The first image that loads and belongs to this log. */
export async function loadImage(
  talk: Conversation,
  images: AsyncIterable<StoredImage>,
  log: StoreLog,
): Promise<Loaded | undefined> {
  for await (const { name, image, checksum, fits } of images) {
    try {
      const loaded = (await talk.ask({ do: 'load', image, checksum })) as Loaded; // the core's answer to `load`
      if (await fits(loaded.entry, loaded.checksum)) return loaded;
      await talk.ask({ do: 'unload' });
      log('warn', `ignored ${name}: it is of another log, or of what comes later in this one`);
    } catch (error) {
      if (error instanceof PortDied || error instanceof Failure) throw error;
      log('warn', `ignored ${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return undefined;
}

/**
 * The file as it was left, if it belongs to this log. Any other file, or one that could not be used, is replaced by an empty one: `why`
 * says so.
 */
export async function resumeFile(
  talk: Conversation,
  fits: StoredImage['fits'],
  why: (reason: string) => void,
): Promise<Loaded> {
  const loaded = (await talk.ask({ do: 'resume' })) as Loaded; // the core's answer to `resume`
  if (loaded.dropped !== undefined) why(loaded.dropped);
  if (loaded.entry === 0 || (await fits(loaded.entry, loaded.checksum))) return loaded;
  why(`it has entry ${loaded.entry} of another log, or one that this log has lost`);
  await talk.ask({ do: 'unload' });
  return (await talk.ask({ do: 'resume' })) as Loaded;
}

// oxlint-disable-next-line typescript/require-await -- an async generator like that of stores with snapshots
export async function* noImages(): AsyncGenerator<never> {
  yield* [];
}
