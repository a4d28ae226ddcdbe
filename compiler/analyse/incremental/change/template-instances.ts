import type { TemplateBlock } from '../../../../language/catalog/block.ts';
import type { RegistryChange } from '../../environment/registry.ts';
import { type BlockKey, blockKey } from '../../../../language/contract/block-kind.ts';
import { type Entry } from '../workspace.ts';

type Instance = TemplateBlock['instances'][number];

/**
 * The entries with up-to-date template instances: those known before, those of the change, and those that blocks remember; each name once.
 * Only templates that the change concerns are examined.
 */
export function withInstances(
  entries: ReadonlyMap<BlockKey, Entry>,
  before: ReadonlyMap<BlockKey, Entry>,
  changed: readonly Entry[],
  given: NonNullable<RegistryChange['instances']>,
): ReadonlyMap<BlockKey, Entry> {
  const touched = touchedTemplates(changed, given);
  if (touched.size === 0) return entries;
  const result = new Map(entries);
  for (const key of touched) {
    const entry = entries.get(key);
    const block = entry?.checked?.block;
    if (entry?.checked === undefined || block?.kind !== 'template') continue;
    const instances = new Map<string, Instance>();
    for (const instance of knownBefore(before.get(key))) instances.set(instance.name, instance);
    for (const { template, name, parameters } of given) {
      if (blockKey('template', template) === key) instances.set(name, { name, parameters });
    }
    for (const { stamp } of entries.values()) {
      if (stamp === undefined || blockKey('template', stamp.template) !== key || instances.has(stamp.instance))
        continue;
      instances.set(stamp.instance, { name: stamp.instance, parameters: '' });
    }
    const sorted = Array.from(instances.values()).sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
    result.set(key, { ...entry, checked: { ...entry.checked, block: { ...block, instances: sorted } } });
  }
  return result;
}

function knownBefore(entry: Entry | undefined): readonly Instance[] {
  const block = entry?.checked?.block;
  return block?.kind === 'template' ? block.instances : [];
}

/** Templates that are put or applied, or that created a put block. */
function touchedTemplates(
  changed: readonly Entry[],
  given: NonNullable<RegistryChange['instances']>,
): ReadonlySet<BlockKey> {
  const keys = changed.flatMap((entry): readonly BlockKey[] => {
    if (entry.kind === 'template') return [entry.key];
    return entry.stamp === undefined ? [] : [blockKey('template', entry.stamp.template)];
  });
  return new Set([...keys, ...given.map((instance) => blockKey('template', instance.template))]);
}
