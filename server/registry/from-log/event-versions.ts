import type { Domain } from '../../../language/contract/domain.ts';
import type { SchemaEntry } from '../../../runtime/store/entry.ts';
import { isSameDefinition } from './same-definition.ts';

/**
 * The domain with each event at the version of its definition in the log (docs/language.md#event): 1 for the first definition, one more for
 * each that differed from the previous one, whether or not the event was dropped in between. Generated files are made from their text alone
 * and always have version 1; a stored event must name the definition that it was written with, since later changes are compared with it.
 */
export async function withEventVersions(
  domain: Domain,
  entries: Iterable<Pick<SchemaEntry, 'changes'>>,
): Promise<Domain> {
  const known = new Map<string, { version: number; text: string }>();
  for (const { changes } of entries)
    for (const { change, block, name, text = '' } of changes) {
      if (change !== 'put' || block !== 'event') continue;
      const before = known.get(name);
      if (before === undefined || !(await isSameDefinition(before.text, text)))
        known.set(name, { version: (before?.version ?? 0) + 1, text });
    }
  const isRight = (event: Domain['events'][number]): boolean =>
    event.version === (known.get(event.name)?.version ?? event.version);
  if (domain.events.every(isRight)) return domain;
  const events = domain.events.map((event) => ({ ...event, version: known.get(event.name)?.version ?? event.version }));
  return { ...domain, events };
}
