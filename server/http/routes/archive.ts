import { ownTurn } from '../../operation/room/loop-turns.ts';
import { Problem } from '../wire/problem.ts';
import { pulled } from '../../operation/room/pulled.ts';
import { readableAggregates } from '../../operation/follow/source.ts';
import type { Access, Call, Route } from '../route.ts';

/** Events for an archive elsewhere (docs/archive.md#from-a-running-server). */
export const archiveRoutes: readonly Route[] = [
  {
    name: 'archive',
    method: 'GET',
    path: '/api/archive',
    summary: 'The events that the caller may read, as lines for `schemac log export --url`',
    rights: [],
    answers: 'lines',
    statuses: [503],
    query: ['after', 'since'],
    freshness: 'never',
    resolve: resolveArchive,
  },
];

function resolveArchive(call: Call): Access {
  const { domain, caller, options, lease } = call;
  return {
    // A caller that may read events of some aggregate needs no further right.
    needs: readableAggregates(call.caller, domain).length > 0 ? [] : ['read:*$Events'],
    answer: async ({ after, since, afterEnd }) => {
      if (afterEnd === true) throw new Problem('H4003', "parameter 'after' takes a position here");
      if (after !== undefined && since !== undefined)
        throw new Problem('H4003', "parameters 'after' and 'since' both say where the events begin; give one of them");
      // Few servers are asked for an archive: its part of the program is loaded when one is.
      const { archiveLines } = await import('../../operation/export/archive-lines.ts');
      const lines = archiveLines({
        store: options.engine.store,
        domain,
        caller,
        after: since === undefined ? Number(after ?? 0n) : { time: since },
      });
      // The first piece is made before the answer begins, so that an early failure still gets its status.
      let next: Promise<IteratorResult<Uint8Array>> | undefined = lines.next();
      await next;
      const pieces = pulled(
        async () => {
          const step = await (next ?? lines.next());
          next = undefined;
          if (step.done === true) return undefined;
          await ownTurn();
          lease.sends(step.value.byteLength);
          return step.value;
        },
        async () => {
          await lines.return();
        },
      );
      return { kind: 'stream', contentType: 'application/x-ndjson', pieces };
    },
  };
}
