import { fail } from '../../language/failure/failure.ts';
import type { Domain } from '../../language/contract/domain.ts';
import type { CompiledQuery } from '../../language/contract/query.ts';
import type { Engine, ReadOptions } from '../../runtime/engine/engine.ts';
import type { Table } from '../../runtime/engine/outcome.ts';
import type { AskedMoment, Moment } from '../../runtime/store/past/moment.ts';
import { openPast } from '../registry/past/open-past.ts';
import { withMetaOf } from '../registry/past/registry-at.ts';
import type { PastQuestion } from './console-query.ts';

/** A table as of a moment, which it names. */
export interface PastTable {
  readonly table: Table;
  readonly asOf: Moment;
}

/**
 * Answers a console query as of a moment (docs/language.md#the-past). The events of a few streams are read from the copy of the read model;
 * everything else is computed apart, which is not part of the time of the query.
 */
export async function askPast(
  engine: Engine,
  domain: Domain,
  query: CompiledQuery,
  { by, registry, moment: asked }: PastQuestion,
  options: ReadOptions,
): Promise<PastTable> {
  const moment = await engine.store.moment(await askedMoment(engine, domain, asked, options));
  const then = { ...options, instant: moment.at };
  if (by === 'streams' || by === 'nothing') {
    const given = query.parameters.map(() => BigInt(moment.position));
    const table = await engine.query(query, given, { ...then, compiledFor: domain.readModel });
    return { table, asOf: moment };
  }
  const shown = registry ? await withMetaOf(engine.store, domain, moment) : domain;
  const nothing = { ...moment, entry: 0, position: 0, cut: false };
  const past = await openPast(engine, by === 'registry' ? nothing : moment, shown);
  try {
    return { table: await past.query(query, [], { ...then, compiledFor: shown.readModel }), asOf: moment };
  } finally {
    await past.close();
  }
}

async function askedMoment(
  engine: Engine,
  domain: Domain,
  asked: PastQuestion['moment'],
  options: ReadOptions,
): Promise<AskedMoment> {
  if (!('timeOf' in asked)) return asked;
  const { rows } = await engine.query(asked.timeOf, [], { ...options, compiledFor: domain.readModel });
  const time = rows[0]?.[0];
  if (typeof time !== 'bigint') throw fail('R0506', { what: 'the time', problem: 'is NULL; it takes a timestamp' });
  return { time };
}
