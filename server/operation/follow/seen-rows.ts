/** Changes of the rows that a follower sees: streams that an event takes away from it, and answers of the subqueries of a clause. */
import type { Domain } from '../../../language/contract/domain.ts';
import type { CompiledQuery } from '../../../language/contract/query.ts';
import type { Filter } from '../../../language/contract/selection.ts';
import type { Value } from '../../../language/values/type.ts';
import { unmasked } from '../../../runtime/engine/unmasked.ts';
import type { Row } from '../../../runtime/store/store.ts';
import { filteredBy, type Asker } from '../asker.ts';
import type { FollowedRows } from '../bind/followed-rows.ts';
import { setsNow } from '../bind/sets-now.ts';
import type { Reader } from '../read/reader.ts';
import { visibleStreams } from '../read/read.ts';
import type { EventSource } from './source.ts';

/** An event that took its stream away from the follower. */
export interface Loss {
  readonly streamType: string;
  readonly streamId: string;
  readonly position: number;
}

export interface SeenRows {
  /** Differs when a clause or the answer of a subquery does. */
  readonly access: () => Promise<string>;
  readonly range: (after: number, until: number) => Promise<SeenRange>;
}

/** The events past one position and up to another, as the follower sees them. */
export interface SeenRange {
  readonly firstLoss: Loss | undefined;
  /** No event is of a stream that the follower sees now. */
  readonly isUnseen: boolean;
}

/** Undefined for a follower from whom nothing is hidden by this domain. */
export function seenRows(reader: Reader, source: EventSource): SeenRows | undefined {
  const { domain, caller } = reader;
  const { aggregates, streamId } = source.interest(domain);
  const hidden = [...aggregates].flatMap((aggregate) => {
    const asker = filteredBy(domain, `${aggregate}$Events`, caller);
    return asker === undefined ? [] : [{ aggregate, asker }];
  });
  if (hidden.length === 0) return undefined;
  const ask = async (query: CompiledQuery, given: readonly Value[], of: Domain): Promise<readonly Row[]> =>
    unmasked(await reader.options.engine.query(query, given, { compiledFor: of.readModel })).rows;
  const compiled = new Map<string, Promise<FollowedRows>>();
  const rowsOf = ({
    aggregate,
    asker,
  }: {
    readonly aggregate: string;
    readonly asker: Asker;
  }): Promise<FollowedRows> => {
    const known =
      compiled.get(aggregate) ?? reader.options.late().then(({ followed }) => followed(domain, aggregate, asker));
    compiled.set(aggregate, known);
    return known;
  };
  return {
    access: async () => {
      const parts: unknown[] = [];
      for (const one of hidden) {
        const { clause, sets } = await rowsOf(one);
        const values = await setsNow(sets, (query, given, limits) =>
          reader.options.engine.query(query, given, { ...limits, compiledFor: domain.readModel }),
        );
        parts.push(one.aggregate, clause, ...values.values());
      }
      return JSON.stringify(parts, (_key, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));
    },
    range: async (after, until) => {
      const losses: Loss[] = [];
      let isUnseen = hidden.length === aggregates.size;
      for (const one of hidden) {
        const { then } = await rowsOf(one);
        if (then === undefined) {
          isUnseen = false;
          continue;
        }
        const { aggregate } = one;
        const events = await eventsOf(reader, aggregate, { after, until, streamId }, (query, given) =>
          ask(query, given, domain),
        );
        const streams = byStream(events);
        const now = await visibleStreams(reader, aggregate, [...streams.keys()]);
        if (now.size > 0) isUnseen = false;
        const gone = new Map([...streams].filter(([id]) => !now.has(id)));
        const seenAt: SeenAt = async (some, position) =>
          new Set((await ask(then.query, then.given(some, position), domain)).map(([id]) => id));
        for (const loss of await lossesOf(gone, after, seenAt)) losses.push({ streamType: aggregate, ...loss });
      }
      return { firstLoss: losses.sort((one, other) => one.position - other.position)[0], isUnseen };
    },
  };
}

/** The streams among some that the follower saw at a position. */
type SeenAt = (streams: readonly string[], position: number) => Promise<ReadonlySet<unknown>>;

/** Events after a position that took their streams away; none of the streams is seen now. */
async function lossesOf(
  gone: ReturnType<typeof byStream>,
  after: number,
  seenAt: SeenAt,
): Promise<readonly Omit<Loss, 'streamType'>[]> {
  const losses: Omit<Loss, 'streamType'>[] = [];
  const older = [...gone].flatMap(([id, own]) => (own[0]?.seq === 1 ? [] : [id]));
  const before = older.length === 0 ? new Set() : await seenAt(older, after);
  for (const [streamId, own] of gone) {
    // A stream that was not seen and has one event more cannot have been lost.
    if (!before.has(streamId) && own.length === 1) continue;
    let wasSeen = before.has(streamId);
    for (const { position } of own) {
      const isSeen = (await seenAt([streamId], position)).has(streamId);
      if (wasSeen && !isSeen) losses.push({ streamId, position });
      wasSeen = isSeen;
    }
  }
  return losses;
}

interface EventRange {
  readonly after: number;
  readonly until: number;
  readonly streamId: string | undefined;
}

interface FollowedEvent {
  readonly streamId: string;
  readonly position: number;
  readonly seq: number;
}

function byStream(events: readonly FollowedEvent[]): ReadonlyMap<string, readonly FollowedEvent[]> {
  const streams = new Map<string, FollowedEvent[]>();
  for (const event of events) {
    const own = streams.get(event.streamId);
    if (own === undefined) streams.set(event.streamId, [event]);
    else own.push(event);
  }
  return streams;
}

/** All events of a range in order, seen or not. They reach no caller. */
async function eventsOf(
  { options, domain }: Reader,
  aggregate: string,
  { after, until, streamId }: EventRange,
  ask: (query: CompiledQuery, given: readonly Value[]) => Promise<readonly Row[]>,
): Promise<readonly FollowedEvent[]> {
  const { select } = await options.late();
  const filters: readonly Filter[] =
    streamId === undefined ? [] : [{ column: 'stream_id', test: 'equal', value: streamId }];
  const { query, parameters } = await select(domain, {
    relation: `${aggregate}$Events`,
    columns: ['stream_id', 'global_position', 'seq'],
    filters,
    after: BigInt(after),
    until: BigInt(until),
    order: [],
  });
  const rows = await ask(query, parameters);
  return rows.map(([id, position, seq]) => ({
    streamId: id as string, // a STRING
    position: Number(position),
    seq: Number(seq),
  }));
}
