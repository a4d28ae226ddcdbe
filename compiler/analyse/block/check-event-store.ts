import type { EventStoreBlock, StoreSetting } from '../../../language/catalog/block.ts';
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import type { Report } from '../../../language/diagnostics/diagnostic.ts';
import { nearestNames } from '../../../language/diagnostics/suggestion.ts';
import type { CreateEventStore, StoreOption, StoreValue } from '../../syntax/ast.ts';
import type { BlockContext } from '../environment/environment.ts';
import { withoutPasswords } from '../store/without-passwords.ts';
import { durableTypes, knownKeys, storeSections } from '../store/store-keys.ts';

/**
 * EVENTSTORE (docs/language.md#event-store): known keys take known values, misspelt ones are errors, all others of a known section are
 * stored, with one warning that names them.
 */
export function checkEventStore(tree: CreateEventStore, { report, text, references }: BlockContext): EventStoreBlock {
  const options: { key: string; value: StoreSetting }[] = [];
  const idle: StoreOption[] = [];
  const seen = new Set<string>();
  for (const option of tree.options) {
    const key = option.key.text.toLowerCase();
    const value = settingOf(option.value);
    if (seen.has(key)) report(diagnose('E0805', option.key.span, { key }));
    seen.add(key);
    if (checkOption(option, key, value, report) === 'idle') idle.push(option);
    options.push({ key, value });
  }
  const unused = seen.has('durable.path') ? 'wal.path' : undefined;
  idle.push(...tree.options.filter(({ key }) => key.text.toLowerCase() === unused));
  const [first] = idle;
  if (first !== undefined) {
    const keys = idle.map(({ key: { text: name } }) =>
      name.toLowerCase() === unused ? `${name} (durable.path is used)` : name,
    );
    report(diagnose('E0804', first.key.span, { keys }));
  }
  return { kind: 'eventstore', name: tree.name.text, text, references: references(), options };
}

function checkOption(
  option: StoreOption,
  key: string,
  value: StoreSetting,
  report: Report,
): 'known' | 'idle' | 'refused' {
  const known = knownKeys.find((candidate) => candidate.key === key);
  if (known === undefined) return checkUnknownKey(option, key, report);
  if (!known.accepts(value)) {
    report(diagnose('E0803', option.span, { key, takes: known.takes }));
    return 'refused';
  }
  if (key === 'strict.immutable_events' && value !== true) report(diagnose('E0806', option.span, {}));
  const instead = key === 'durable.type' && typeof value === 'string' ? durableTypes.get(value) : undefined;
  if (instead !== undefined)
    report(diagnose('E0807', option.span, { type: option.value.type === 'string' ? option.value.text : '', instead }));
  return 'known';
}

function checkUnknownKey(option: StoreOption, key: string, report: Report): 'idle' | 'refused' {
  const names = knownKeys.map((candidate) => candidate.key);
  const section = key.split('.')[0] ?? '';
  if (!key.includes('.') || !storeSections.includes(section)) {
    const ending = names.filter((name) => name.endsWith(`.${key}`));
    const nearest = ending.length > 0 ? ending : nearestNames(key, names);
    const sections = nearestNames(section, storeSections).map((name) => [name, ...key.split('.').slice(1)].join('.'));
    report(diagnose('E0801', option.key.span, { key, nearest: nearest.length > 0 ? nearest : sections }));
    return 'refused';
  }
  const meant = names.filter((name) => isSlip(key, name));
  if (meant.length > 0) {
    report(diagnose('E0802', option.key.span, { key, nearest: meant }));
    return 'refused';
  }
  return 'idle';
}

function settingOf(value: StoreValue): StoreSetting {
  switch (value.type) {
    case 'string':
      return withoutPasswords(value.text);
    case 'number':
      return Number(value.text);
    case 'boolean':
      return value.value;
    case 'tuple':
      return value.items.map(withoutPasswords);
    case 'env':
      return { env: value.variable };
  }
}

/**
 * Whether `written` is `meant` with one typing error: a letter too many, too few, a wrong one, or two swapped. Unknown keys are legal, so
 * only certain typing errors may be refused.
 */
function isSlip(written: string, meant: string): boolean {
  if (written === meant || Math.abs(written.length - meant.length) > 1) return false;
  let start = 0;
  while (start < written.length && written[start] === meant[start]) start++;
  const writtenRest = written.slice(start);
  const meantRest = meant.slice(start);
  return (
    writtenRest.slice(1) === meantRest.slice(1) ||
    writtenRest.slice(1) === meantRest ||
    writtenRest === meantRest.slice(1) ||
    (writtenRest[0] === meantRest[1] && writtenRest[1] === meantRest[0] && writtenRest.slice(2) === meantRest.slice(2))
  );
}
