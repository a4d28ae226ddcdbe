import type { TemplateBlock } from '../../../language/catalog/block.ts';
import type { CreateTemplate } from '../../syntax/ast.ts';
import type { BlockContext } from '../environment/environment.ts';
import { checkDuplicates, checkSafeName } from '../name/name-rules.ts';

/**
 * TEMPLATE (docs/language.md#templates): its parameters. The body stays text until it is applied; the parser checked its form. Instances
 * are collected from the blocks that remember the template.
 */
export function checkTemplate(tree: CreateTemplate, { report, text, references }: BlockContext): TemplateBlock {
  checkDuplicates(
    tree.parameters.map((parameter) => parameter.name),
    `template '${tree.name.text}'`,
    report,
  );
  for (const parameter of tree.parameters) checkSafeName(parameter.name, 'a parameter', report);
  return {
    kind: 'template',
    name: tree.name.text,
    text,
    references: references(),
    parameters: tree.parameters.map((parameter) => ({
      name: parameter.name.text,
      ...(parameter.type === undefined ? {} : { type: printTypeName(parameter.type) }),
    })),
    instances: [],
  };
}

/** Parameter types are words for people and need not be types of the language (`FIELDS`, `IDENTIFIER`). */
function printTypeName(type: { readonly name: string; readonly arguments: readonly number[] }): string {
  return type.arguments.length === 0 ? type.name : `${type.name}(${type.arguments.join(',')})`;
}
