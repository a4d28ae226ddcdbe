import type { Engine } from '../../../runtime/engine/engine.ts';
import type { Past } from '../../http/options.ts';
import { openPast } from './open-past.ts';
import { withMetaOf } from './registry-at.ts';

/** The past of an engine's store, for HTTP. */
export function createPast(engine: Engine): Past {
  return {
    open: (moment, domain, options) => openPast(engine, moment, domain, options),
    domainAt: (domain, moment) => withMetaOf(engine.store, domain, moment),
  };
}
