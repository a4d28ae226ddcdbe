import { fail, Failure } from '../../../language/failure/failure.ts';
import { GivenBack, type QueryOptions } from '../../../runtime/store/store.ts';
import { ofLeaving } from './busy.ts';
import { smallResult } from './held-account.ts';
import { noRoom, type Computing, type Lease } from './held-results.ts';
import { slowMilliseconds } from './quick-reads.ts';

/**
 * Bytes that a result may take, and the callback that receives its size and time. `signal` stops the read of a caller who left, unless it is
 * a quick one.
 */
export type ResultRoom = Required<Pick<QueryOptions, 'bytes' | 'takes'>> &
  Pick<QueryOptions, 'quick' | 'patience' | 'answeredBy' | 'signal'>;

/** Past the limit of bytes or milliseconds a read fails with a `Failure` of kind `budget`; the size of the rows is announced before the rows. */
export type ResultBudget = Required<Pick<QueryOptions, 'bytes' | 'milliseconds' | 'takes'>> &
  Pick<QueryOptions, 'signal'>;

/** Computes a result when there is room for it. Nothing else is waited for while the room is lent, so that results do not wait in a circle. */
export type WithinRoom = <T>(read: (room: ResultRoom) => Promise<T>) => Promise<T>;

interface Wanted {
  /** The bytes it may take if there is room. */
  readonly most: number;
  readonly expectsSmall?: boolean;
  /** A key that is equal for reads which take equally long; for a read that is expected to be small. */
  readonly shape?: string;
  /** The relation that is searched by a filter or an order, which may take long: past a short time it is begun again on the copy. */
  readonly searched?: string | undefined;
  readonly by?: Computing;
}

/**
 * Computes a result of at most `most` bytes within the available room, and charges its size. A result that does not fit the room fails with
 * `Busy`, one larger than `most` fails as `read` does. A result that is expected to be small is tried as such first, so that it does not
 * wait for others.
 */
export async function withinRoom<T>(
  lease: Lease,
  { most, expectsSmall = false, shape, searched, by = 'read model' }: Wanted,
  ask: (room: ResultRoom) => Promise<T>,
): Promise<T> {
  const { quickReads } = lease;
  const onCopy = (): Promise<T> =>
    withinRoom(lease, { most, by: 'copy' }, (room) => ask({ ...room, answeredBy: 'copy' }));
  if (searched !== undefined && quickReads.isSlow(searched) && !quickReads.isQuick(shape ?? '')) return onCopy();
  const read: typeof ask = searched === undefined ? ask : (room) => ask({ ...room, patience: slowMilliseconds });
  const takes = (bytes: number): void => lease.holds(bytes);
  try {
    if (expectsSmall && most > smallResult && !lease.isKnownLarge()) {
      const tried = await triedAsSmall(lease, { shape, by }, read);
      if (tried !== past) return tried;
      lease.isLarge();
    }
    const given = await lease.forResult(most, by);
    const signal = lease.released;
    if (given === most) return await read({ bytes: most, takes, signal });
    const result = await unlessPast(given, (bytes) => read({ bytes, takes, signal }));
    if (result !== past) return result;
    lease.isLarge();
    throw noRoom();
  } catch (error) {
    lease.holds(0);
    if (searched === undefined || !(error instanceof GivenBack)) throw ofLeaving(error, lease.released);
    quickReads.wasSlow(searched);
    quickReads.took(shape ?? '', Infinity);
    return onCopy();
  }
}

/** A read of a quick shape joins others; its time says whether the next one does. */
async function triedAsSmall<T>(
  lease: Lease,
  { shape, by }: { readonly shape: string | undefined; readonly by: Computing },
  read: (room: ResultRoom) => Promise<T>,
): Promise<T | typeof past> {
  const { quickReads } = lease;
  const took = (milliseconds: number): void => {
    if (shape !== undefined) quickReads.took(shape, milliseconds);
  };
  const takes = (bytes: number, milliseconds?: number): void => {
    if (milliseconds !== undefined) took(milliseconds);
    lease.holds(bytes);
  };
  if (shape !== undefined && quickReads.isQuick(shape)) {
    const given = await lease.forPart(smallResult, { by: 'quick read' });
    try {
      return await read({ bytes: given, takes, quick: true });
    } catch (error) {
      lease.holds(0); // its place among the quick ones is free before it is asked in another way
      if (!(error instanceof GivenBack)) took(Infinity);
      if (isPastBytes(error, given)) return past;
      if (!(error instanceof GivenBack)) throw error;
    }
  }
  const given = await lease.forPart(smallResult, { by });
  const tried = await unlessPast(given, (bytes) => read({ bytes, takes, signal: lease.released }));
  if (tried === past) took(Infinity);
  return tried;
}

const past = Symbol('past its bytes');

async function unlessPast<T>(bytes: number, read: (bytes: number) => Promise<T>): Promise<T | typeof past> {
  try {
    return await read(bytes);
  } catch (error) {
    if (isPastBytes(error, bytes)) return past;
    throw error;
  }
}

/** Whether a query failed because its result takes more than this many bytes. */
export function isPastBytes(error: unknown, bytes: number): boolean {
  return error instanceof Failure && error.message === fail('R0301', { what: 'bytes', limit: String(bytes) }).message;
}
