import type { Column } from '../../../language/contract/query.ts';
import type { Domain } from '../../../language/contract/domain.ts';
import { failures } from '../../../language/failure/catalogue.ts';
import { Failure } from '../../../language/failure/failure.ts';
import { requireWithin } from '../../../runtime/delivery/refused.ts';
import { nextDomain } from '../again.ts';
import { rowsKey } from '../asker.ts';
import type { Caller } from '../caller.ts';
import { isCleared } from '../rights.ts';
import type { Reader } from '../read/reader.ts';
import { Busy } from '../room/busy.ts';
import { ownTurn } from '../room/loop-turns.ts';
import { pulled } from '../room/pulled.ts';
import { endReason, losesAccess, type EndReason } from './end-reason.ts';
import type { Followers } from './followers.ts';
import { readPage, type PrintedPage } from './pages.ts';
import type { Printing } from './printing.ts';
import { seenRows, type SeenRows } from './seen-rows.ts';
import type { EventSource } from './source.ts';

/** A read without end. */
export interface FollowReader extends Reader {
  readonly options: Reader['options'] & {
    /** `now` in ms since 1970. */
    readonly time: { readonly now: () => number };
    readonly randomBytes: (length: number) => Uint8Array;
  };
  readonly followers: Followers;
  /** The caller by the present rights, if they may have changed since the last question; rejects if the credentials no longer count. */
  readonly renewed: () => Promise<Caller> | undefined;
  readonly log: (fields: Readonly<Record<string, string | number | boolean>>) => void;
}

/** The events of a stream, its beginning, and its form. */
export interface Followed {
  readonly source: EventSource;
  readonly form: Printing;
  /** Global position after which it begins. */
  readonly after: number;
  /** The stream ends when every event up to this one was looked at. */
  readonly until: number | undefined;
  /** The stream ends after this number of events. */
  readonly limit: number | undefined;
  /** Milliseconds without an event until a mark is sent. */
  readonly heartbeat: number;
}

/** Positions of the largest page, and bytes of the rows of any page that is not the first. */
const largestPage = 8_192;
const firstPage = 1_024;
const pageTarget = 512 * 1024;
const pageBudget = 1024 * 1024;
/** Events that the filter left out after which a mark is sent, and milliseconds after which it is sent if there were some. */
const markedEvents = 10_000;
const markedMilliseconds = 1_000;
/** Positions from the end within which a page is shared with other followers. */
const sharedReach = 8_192;
/** Milliseconds between two looks at what the caller sees. */
const accessGap = 250;
const unprinted = new Uint8Array();
/** A follower of a stopped server comes back after some time between these, so that not all come at once. */
const shortestReturn = 500;
const longestReturn = 3_000;

/** Takes a place among the followers, which the end of the stream frees, or its caller by what `whenClosed` is given. */
export async function follow(
  reader: FollowReader,
  asked: Omit<Followed, 'after'> & { readonly after: number | 'end' },
  whenClosed: (then: () => void) => void,
): Promise<AsyncIterableIterator<Uint8Array>> {
  const { enter, tail } = reader.followers;
  const free = enter(reader.caller);
  whenClosed(free);
  try {
    const end = await tail.join();
    const after = asked.after === 'end' ? end : asked.after;
    requireWithin(end, after);
    return followEvents(reader, { ...asked, after }, free);
  } catch (error) {
    tail.leave();
    free();
    throw error;
  }
}

/**
 * The pieces of a stream: a mark of the position from which it follows, then the stored events, then each new one, and marks. Each piece is
 * read when the one before is sent; nothing is queued for a slow reader. Its cost while it waits is a timer.
 *
 * A piece is printed by the registry that is in force when it is handed over.
 */
function followEvents(reader: FollowReader, followed: Followed, leave: () => void): AsyncIterableIterator<Uint8Array> {
  const { source, form, until, heartbeat } = followed;
  const { options, followers, caller, lease } = reader;
  const { engine, time } = options;
  const { tail } = followers;
  const columnsOf = (domain: Domain): readonly Column[] => source.columns(domain) ?? [];
  const relationsOf = (domain: Domain): readonly string[] =>
    [...source.interest(domain).aggregates].map((name) => `${name}$Events`);
  const first = columnsOf(reader.domain);
  let position = followed.after;
  /** The last position that the client knows. */
  let reported = position;
  let left = followed.limit ?? Infinity;
  let lastSent = time.monotonic();
  let window = firstPage;
  let state: 'new' | 'open' | 'ended' | 'closed' = 'new';
  let isDenied = false;
  /** The rows that the caller sees by the domain of the last step; the log was looked at up to `checked`. */
  let rows: { readonly domain: Domain; readonly seen: SeenRows | undefined } | undefined;
  let access: string | undefined;
  let isAccessChanged = false;
  let checked = { end: -1, at: -Infinity };
  let wake = (): void => undefined;

  const retry = (): number => {
    const [byte = 0] = options.randomBytes(1);
    return Math.round(shortestReturn + ((longestReturn - shortestReturn) * byte) / 255);
  };
  const sends = (piece: Uint8Array): Uint8Array => {
    reported = position;
    lastSent = time.monotonic();
    lease.sends(piece.byteLength);
    return piece;
  };
  const close = (): void => {
    if (state === 'closed') return;
    state = 'closed';
    tail.leave();
    leave();
    wake();
  };
  const isOver = (): boolean => state === 'closed';
  const ending = (domain: Domain): EndReason | undefined =>
    endReason({
      isStopped: followers.stopped(),
      isDenied,
      expiry: caller.until,
      now: time.now(),
      isAccessChanged,
      fixed: form.hasFixedColumns ? first : undefined,
      columns: source.columns(domain),
      left,
      position,
      until,
      isUnavailable: tail.failure() !== undefined,
    });
  /** Denies everything further if the caller no longer has the rights by which it is sent events. */
  const deny = async (renewed: Promise<Caller>, domain: Domain): Promise<void> => {
    try {
      const now = await renewed;
      isDenied ||= losesAccess({ source, domain, relations: relationsOf(domain) }, caller, now);
    } catch {
      // The client connects again, and the refusal says why.
      isDenied = true;
    }
  };
  const end = (reason: EndReason): Uint8Array => {
    state = 'ended';
    reader.log({ followed_to: position, ended: reason });
    return sends(
      form.end(first, {
        reason,
        position,
        ...(reason === 'stop' || reason === 'unavailable' ? { retry: retry() } : {}),
      }),
    );
  };

  const read = async (domain: Domain, through: number): Promise<PrintedPage> => {
    // A single event always fits.
    const options = through - position > 1 ? { bytes: pageBudget } : {};
    const range = { after: BigInt(position), until: BigInt(through) };
    return readPage({ ...reader, domain }, { source, form, range, most: left }, options);
  };
  const seenBy = (domain: Domain): SeenRows | undefined => {
    if (rows?.domain !== domain) rows = { domain, seen: seenRows({ ...reader, domain }, source) };
    return rows.seen;
  };
  /** Finds out whether a clause, or the answer of one of its subqueries, is another one than when the stream began. */
  const checkAccess = async (domain: Domain): Promise<void> => {
    const isKnown = rows?.domain === domain && checked.end === tail.end();
    if (isKnown || (rows?.domain === domain && time.monotonic() - checked.at < accessGap)) return;
    checked = { end: tail.end(), at: time.monotonic() };
    const now = (await seenBy(domain)?.access()) ?? '';
    access ??= now;
    isAccessChanged = now !== access;
  };
  /** The next page, shared with others that are as far as this one; it ends before the event that took a stream away. */
  const next = async (domain: Domain, known: number): Promise<PrintedPage> => {
    let through = Math.min(known, position + window, until ?? Infinity);
    const seen = await seenBy(domain)?.range(position, through);
    const loss = seen?.firstLoss;
    if (loss?.position === position + 1)
      return { bytes: form.hidden(columnsOf(domain), loss), rows: 0, through: loss.position, isLoss: true };
    if (loss !== undefined) through = loss.position - 1;
    if (seen?.isUnseen === true) return { bytes: unprinted, rows: 0, through };
    if (known - position <= sharedReach && left === Infinity) {
      const rowsOf = rowsKey(domain, relationsOf(domain), caller);
      // The streams that are seen are those of the present, so that an earlier page cannot be sent again.
      const seenAs = rowsOf === '' ? '' : `${rowsOf} ${known}`;
      const key = `${engine.registryVersion()} ${position} ${through} ${form.key} ${isCleared(caller)}${seenAs} ${source.key}`;
      return followers.pages.get(key, () => followers.gate(() => read(domain, through)));
    }
    await lease.forPart(pageBudget, { patient: true });
    let size = 0;
    try {
      const page = await read(domain, through);
      size = page.bytes.byteLength;
      return page;
    } finally {
      lease.holds(size);
    }
  };
  /** The next rows, or undefined if all events of the page were left out. */
  const advance = async (domain: Domain, known: number): Promise<Uint8Array | undefined> => {
    let page: PrintedPage;
    try {
      page = await next(domain, known);
    } catch (error) {
      if (error instanceof Failure && failures[error.code].kind === 'budget' && window > 1)
        window = Math.max(1, Math.floor(Math.min(window, known - position) / 4));
      else await nextDomain(engine, error);
      return undefined;
    }
    const renewed = reader.renewed();
    if (renewed !== undefined) await deny(renewed, domain);
    // Printed by a registry that is no longer in force: the page is read again.
    if (engine.domain() !== domain || isOver() || isDenied) return undefined;
    position = page.through;
    left -= page.rows;
    const perRow = page.bytes.byteLength / Math.max(1, page.rows);
    window = Math.min(
      largestPage,
      window * 2,
      Math.max(1, page.rows === 0 ? largestPage : Math.floor(pageTarget / perRow)),
    );
    if (page.rows === 0) return page.isLoss === true ? sends(page.bytes) : undefined;
    followers.countSent(page.rows);
    return sends(page.bytes);
  };
  const mark = (domain: Domain): Uint8Array | undefined => {
    const since = time.monotonic() - lastSent;
    const passed = position - reported;
    const isDue = since >= heartbeat || passed >= markedEvents || (passed > 0 && since >= markedMilliseconds);
    return isDue ? sends(form.mark(columnsOf(domain), position)) : undefined;
  };
  const wait = async (): Promise<void> => {
    const since = time.monotonic() - lastSent;
    const toMark = (position > reported ? markedMilliseconds : heartbeat) - since;
    const toAccess = checked.end === tail.end() || access === '' ? Infinity : accessGap;
    const toExpiry = caller.until === undefined ? Infinity : caller.until - time.now() + 1;
    await tail.change(Math.max(1, Math.min(toMark, toAccess, toExpiry, heartbeat)), (now) => (wake = now));
    // Many followers are reported at once: other requests are taken between them.
    await ownTurn();
  };
  const step = async (): Promise<Uint8Array | undefined> => {
    const domain = engine.domain();
    const renewed = reader.renewed();
    if (renewed !== undefined) await deny(renewed, domain);
    await checkAccess(domain);
    const reason = ending(domain);
    if (reason !== undefined) return end(reason);
    const known = tail.end();
    if (position >= known) {
      const due = mark(domain);
      if (due === undefined) await wait();
      return due;
    }
    // Events of other types may also take a stream away from a follower who does not see all.
    const { types, ...streams } = source.interest(domain);
    const interest = types === undefined || seenBy(domain) !== undefined ? streams : { ...streams, types };
    if (!tail.mayConcern(position, interest)) {
      position = Math.min(known, until ?? Infinity);
      return mark(domain);
    }
    return (await advance(domain, known)) ?? mark(domain);
  };

  return pulled(async () => {
    // The piece before is sent.
    lease.holds(0);
    lease.sends(0);
    if (state === 'new') {
      state = 'open';
      return sends(form.begin(first, position, retry()));
    }
    if (state === 'ended') {
      close();
      return undefined;
    }
    for (;;) {
      if (isOver()) return undefined;
      try {
        const piece = await step();
        if (isOver()) return undefined;
        if (piece !== undefined) return piece;
      } catch (error) {
        if (isOver()) return undefined;
        // An error that passes by itself is no cut: the client comes back.
        if (error instanceof Busy || (error instanceof Failure && failures[error.code].kind === 'store'))
          return end('unavailable');
        close();
        throw error;
      }
    }
  }, close);
}
