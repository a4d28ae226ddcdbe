import type { CommandBlock } from '../../language/catalog/block.ts';
import { typeName } from '../../language/values/type.ts';
import { sameType, widens } from '../analyse/type/widens.ts';
import { changedAllow } from './compare-access.ts';
import { difference, type Difference, type DifferenceCode } from './difference.ts';

type Field = CommandBlock['fields'][number];

/** Consequences of a changed command for its callers. */
export function compareCommand(before: CommandBlock, after: CommandBlock): readonly Difference[] {
  const changed = (code: DifferenceCode, message: string): Difference => difference(code, after, message);
  const now = new Map(after.fields.map((field) => [field.name.toLowerCase(), field]));
  const was = new Map(before.fields.map((field) => [field.name.toLowerCase(), field]));
  const found: Difference[] = [];
  for (const field of before.fields) {
    const other = now.get(field.name.toLowerCase());
    if (other === undefined)
      found.push(
        changed('command-field-removed', `field '${field.name}' is refused as unknown from callers that send it`),
      );
    else found.push(...compareField(field, other, changed));
  }
  for (const field of after.fields) {
    if (was.has(field.name.toLowerCase())) continue;
    found.push(
      field.required
        ? changed(
            'command-field-required',
            `new field '${field.name}' has no DEFAULT and may not be NULL: callers that lack it are refused`,
          )
        : changed('command-field-added', `new field '${field.name}' may be left out`),
    );
  }
  if (before.streamField.toLowerCase() !== after.streamField.toLowerCase())
    found.push(
      changed('command-key-changed', `the stream id is '${after.streamField}', no longer '${before.streamField}'`),
    );
  return [...found, ...compareChecks(before, after, changed), ...changedAllow(before, after)];
}

function compareField(
  before: Field,
  after: Field,
  changed: (code: DifferenceCode, message: string) => Difference,
): readonly Difference[] {
  const found: Difference[] = [];
  const { name } = after;
  if (!sameType(before.type, after.type)) {
    const types = `from ${typeName(before.type)} to ${typeName(after.type)}`;
    found.push(
      widens(before.type, after.type)
        ? changed('command-field-widened', `field '${name}' widens ${types}`)
        : changed('command-field-retyped', `field '${name}' changes ${types}`),
    );
  }
  if (after.required && !before.required)
    found.push(changed('command-field-required', `field '${name}' may no longer be left out`));
  if (!after.required && before.required)
    found.push(changed('command-field-optional', `field '${name}' may be left out`));
  else if (before.default !== after.default)
    found.push(changed('default-changed', `field '${name}' has another DEFAULT for callers that leave it out`));
  return found;
}

function compareChecks(
  { checks: before = [] }: CommandBlock,
  { checks: after = [] }: CommandBlock,
  changed: (code: DifferenceCode, message: string) => Difference,
): readonly Difference[] {
  const textOf = ({ text, field }: (typeof after)[number]): string => `${field ?? ''} ${text}`;
  const [was, is] = [new Set(before.map(textOf)), new Set(after.map(textOf))];
  return [
    ...after
      .filter((check) => !was.has(textOf(check)))
      .map(({ text }) => changed('check-added', `new CHECK (${text}): callers that do not satisfy it are refused`)),
    ...before
      .filter((check) => !is.has(textOf(check)))
      .map(({ text }) => changed('check-removed', `CHECK (${text}) is gone`)),
    ...after
      .filter((check) => before.some((one) => textOf(one) === textOf(check) && one.message !== check.message))
      .map(({ text }) => changed('check-message-changed', `refused callers read another message of CHECK (${text})`)),
  ];
}
