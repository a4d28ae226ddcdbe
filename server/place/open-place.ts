/** Moments of the past (docs/language.md#the-past): where a question AS OF one of them is answered. */
import type { AsOfPlan } from '../../compiler/index.ts';
import type { Domain } from '../../language/contract/domain.ts';
import { fail } from '../../language/failure/failure.ts';
import { createReactingEngine } from '../../runtime/delivery/reaction/reacting-engine.ts';
import type { Engine } from '../../runtime/engine/engine.ts';
import type { Table } from '../../runtime/engine/outcome.ts';
import { createSystemRandom } from '../../runtime/engine/system-random.ts';
import type { AskedMoment, Moment } from '../../runtime/store/journal/moment.ts';
import type { PastOptions } from '../../runtime/store/store.ts';
import { nothingToClose, type Place } from './place.ts';
import { withMetaOf } from './registry-at.ts';

export type Reads = Pick<AsOfPlan, 'by' | 'registry'>;

export interface Over extends PastOptions {
  /** As it was asked for, or found. */
  readonly moment: AskedMoment | Moment;
  /** The part of the past that the question reads: all relations if absent. */
  readonly reads?: Reads;
}

const allRelations: Reads = { by: 'history', registry: false };

/** The place as of a moment, by its definitions: it reads and inspects, and writes nothing. The caller closes it. */
export async function openPlace<P extends Place>(
  place: P,
  { moment: asked, reads: { by, registry } = allRelations, ...options }: Over,
): Promise<P & { readonly moment: Moment }> {
  const { store } = place.engine;
  const moment = 'entry' in asked ? asked : await store.log.moment(asked);
  const domain = registry ? await withMetaOf(store, place.domain, moment) : place.domain;
  const then = { ...place, domain, moment, close: nothingToClose };
  // Streams are read up to the position from what there is now.
  if (by === 'streams' || by === 'nothing') return then;
  // Rows of the registry are known without a single event.
  const shown = by === 'registry' ? { ...moment, entry: 0, position: 0, cut: false } : moment;
  const engine = await pastEngine(place.engine, shown, domain, options);
  return { ...then, engine, isLive: false, close: engine.close };
}

async function pastEngine(present: Engine, moment: Moment, domain: Domain, options: PastOptions): Promise<Engine> {
  const store = await present.store.past(moment, domain.readModel, options);
  try {
    return await createReactingEngine({
      store,
      domain,
      clock: () => moment.at,
      randomBytes: createSystemRandom(),
      readOnly: true,
      ...present.rules,
    });
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** The present as a moment, at a time: for what is answered apart from the live read model. */
export async function endOf({ engine }: Place, at: bigint): Promise<Moment> {
  const { entry, event: position } = await engine.store.turns.fresh();
  return { entry, position, cut: false, at, final: true };
}

/** The moment at the time that a query has evaluated. */
export function askedTime({ rows }: Table): AskedMoment {
  const time = rows[0]?.[0];
  if (typeof time !== 'bigint') throw fail('R0506', { what: 'the time', problem: 'is NULL; it takes a timestamp' });
  return { time };
}
