import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import { nearestNames } from '../../../language/diagnostics/suggestion.ts';
import type { ExecuteOption } from '../../syntax/ast.ts';
import type { TypedExpression } from '../../../language/catalog/expression.ts';
import { isFaulty } from '../expression/typed.ts';
import type { Binding } from '../query/binding.ts';
import type { BoundExecute } from '../incremental/registry.ts';
import { bindConstant } from './bind-constant.ts';

type OptionName = BoundExecute['options'][number]['name'];

/** The options of EXECUTE, and the values they take. */
const options: ReadonlyMap<OptionName, string> = new Map([
  ['command_id', 'a text that is not empty'],
  ['expected_seq', 'a whole number from 0'],
  ['correlation_id', 'a text that is not empty'],
  ['causation_id', 'a text that is not empty'],
]);

export function bindOptions(nodes: readonly ExecuteOption[], binding: Binding): BoundExecute['options'] {
  const seen = new Set<OptionName>();
  return nodes.flatMap((node): BoundExecute['options'] => {
    const written = node.name.text;
    const known = Array.from(options.keys());
    const name = known.find((candidate) => candidate === written.toLowerCase());
    if (name === undefined) {
      binding.report(
        diagnose('E0904', node.name.span, { name: written, nearest: nearestNames(written, known), known }),
      );
      return [];
    }
    if (seen.has(name)) binding.report(diagnose('E0413', node.name.span, { name }));
    seen.add(name);
    const value = bindConstant(node.value, `the option '${name}'`, binding);
    if (isFaulty(value)) return [];
    if (!fits(name, value))
      binding.report(diagnose('E0905', node.value.span, { name, takes: options.get(name) ?? '' }));
    return [{ name, value }];
  });
}

function fits(name: OptionName, value: TypedExpression): boolean {
  if (name === 'expected_seq') {
    const whole = value.type.kind === 'INT' || value.type.kind === 'BIGINT';
    return whole && (value.kind !== 'literal' || (value.value !== null && Number(value.value) >= 0));
  }
  const text = value.type.kind === 'STRING' || value.type.kind === 'UUID';
  return text && (value.kind !== 'literal' || value.value !== '');
}
