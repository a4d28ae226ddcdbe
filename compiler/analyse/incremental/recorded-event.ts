import type { Block } from '../../../language/catalog/block.ts';
import { hasErrors } from '../../../language/diagnostics/has-errors.ts';
import type { Diagnostic } from '../../../language/diagnostics/diagnostic.ts';
import type { EnumType } from '../../../language/values/type.ts';
import { parseScript } from '../../syntax/parse.ts';
import { definitionText } from './definition-text.ts';
import { resolveFieldType } from '../type/resolve-type.ts';
import type { Environment, Found } from '../environment/environment.ts';
import type { StoredDefinition } from '../environment/registry.ts';

/** A definition of an event as the log recorded it, as far as the evolution rules need it. */
export type RecordedEvent = Pick<StoredDefinition, 'fields' | 'upcasts'> & {
  readonly name: string;
  /** Canonical print without doc comments, which are no part of a definition. */
  readonly text: string;
};

/**
 * Reads a recorded definition by itself: the expressions of its UPCAST clauses may name what does not exist any longer, and are not read.
 * Gives the first error instead if the text is damaged. `enums`: as they were then.
 */
export function readRecordedEvent(
  name: string,
  text: string,
  enums: readonly EnumType[],
): RecordedEvent | Diagnostic | undefined {
  const problems: Diagnostic[] = [];
  const context = { report: (problem: Diagnostic) => void problems.push(problem), environment: onlyEnums(enums) };
  const { statements, diagnostics } = parseScript({ name: `event ${name}`, text });
  const tree = statements[0]?.statement;
  if (tree?.kind !== 'CreateEvent') return diagnostics[0];
  const fields = tree.fields.flatMap((node) => {
    const type = resolveFieldType(node, context);
    const { sensitive, volatile } = node;
    return type === undefined ? [] : [{ name: node.name.text, type, sensitive, volatile }];
  });
  const upcasts = tree.upcasts.map((clause) => ({
    event: clause.event?.text ?? tree.name.text,
    fields: clause.fields.flatMap((node) => {
      const type = resolveFieldType(node, context);
      return type === undefined ? [] : [{ name: node.name.text, type }];
    }),
  }));
  if (hasErrors(problems)) return problems[0];
  return { name: tree.name.text, text: definitionText(text), fields, ...(upcasts.length === 0 ? {} : { upcasts }) };
}

/** The values of a recorded enum; undefined if the text is damaged. */
export function readRecordedEnum(name: string, text: string): readonly string[] | undefined {
  const tree = parseScript({ name: `enum ${name}`, text }).statements[0]?.statement;
  return tree?.kind === 'CreateEnum' ? tree.values.map(({ value }) => value) : undefined;
}

function onlyEnums(enums: readonly EnumType[]): Pick<Environment, 'find' | 'names'> {
  const found = new Map(enums.map((one) => [one.name.toLowerCase(), one]));
  return {
    find: (kind, name): Found<never> => {
      const known = kind === 'enum' ? found.get(name.toLowerCase()) : undefined;
      if (known === undefined) return { status: 'unknown' };
      const block: Block = { kind: 'enum', text: '', references: [], ...known };
      return { status: 'found', block: block as never }; // of the kind asked for
    },
    names: (kind) => (kind === 'enum' ? enums.map((one) => one.name) : []),
  };
}
