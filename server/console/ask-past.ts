import { fail } from '../../language/failure/failure.ts';
import type { Domain } from '../../language/contract/domain.ts';
import type { CompiledQuery } from '../../language/contract/query.ts';
import type { Engine } from '../../runtime/engine/engine.ts';
import type { Table } from '../../runtime/engine/outcome.ts';
import type { Raw } from '../../runtime/engine/raw.ts';
import { unmasked } from '../../runtime/engine/unmasked.ts';
import type { AskedMoment, Moment } from '../../runtime/store/past/moment.ts';
import type { QueryOptions } from '../../runtime/store/store.ts';
import { openPast } from '../registry/past/open-past.ts';
import { withMetaOf } from '../registry/past/registry-at.ts';
import type { WithinRoom } from '../http/pipeline/within-room.ts';
import type { PastQuestion } from './console-query.ts';

/** A table as of a moment, which it names. */
export interface PastTable {
  readonly table: Raw<Table>;
  readonly asOf: Moment;
}

/** How long a query waits until the relations of a moment are computed. */
const openMilliseconds = 60_000;

/**
 * Answers a console query as of a moment (docs/language.md#the-past). The events of a few streams are read from the copy of the read model;
 * everything else is computed apart, which is not part of the time of the query, and for which no room is lent.
 */
export async function askPast(
  engine: Engine,
  domain: Domain,
  query: CompiledQuery,
  { by, registry, moment: asked }: PastQuestion,
  { options, within }: { readonly options: QueryOptions; readonly within: WithinRoom },
): Promise<PastTable> {
  const moment = await engine.store.moment(await askedMoment(engine, domain, asked, options));
  const then = { ...options, instant: moment.at };
  if (by === 'streams' || by === 'nothing') {
    const given = query.parameters.map(() => BigInt(moment.position));
    const table = await within((room) =>
      engine.query(query, given, { ...then, ...room, compiledFor: domain.readModel }),
    );
    return { table, asOf: moment };
  }
  const shown = registry ? await withMetaOf(engine.store, domain, moment) : domain;
  const nothing = { ...moment, entry: 0, position: 0, cut: false };
  const past = await openPast(engine, by === 'registry' ? nothing : moment, shown, { milliseconds: openMilliseconds });
  try {
    const table = await within((room) => past.query(query, [], { ...then, ...room, compiledFor: shown.readModel }));
    return { table, asOf: moment };
  } finally {
    await past.close();
  }
}

async function askedMoment(
  engine: Engine,
  domain: Domain,
  asked: PastQuestion['moment'],
  options: QueryOptions,
): Promise<AskedMoment> {
  if (!('timeOf' in asked)) return asked;
  const { rows } = unmasked(await engine.query(asked.timeOf, [], { ...options, compiledFor: domain.readModel }));
  const time = rows[0]?.[0];
  if (typeof time !== 'bigint') throw fail('R0506', { what: 'the time', problem: 'is NULL; it takes a timestamp' });
  return { time };
}
