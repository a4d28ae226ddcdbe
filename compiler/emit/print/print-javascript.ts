/**
 * Prints module structures as JavaScript, without ts-morph and without TypeScript: `run`, sessions and live changes use
 * this. The text of values is the one that the TypeScript printer prints.
 */
import { commentLines } from '../../../templates/literal.ts';
import type { ImportedName, ModuleStructure, Part } from '../../../templates/module.ts';
import { constantText, documentationText, functionHeader, statementLines } from './print-value.ts';

/** The comment at the start of a module. */
export function printHead(head: ModuleStructure['head']): string {
  return head
    .flatMap(commentLines)
    .map((line) => `// ${line}`.trimEnd())
    .join('\n');
}

/** The module as ES module text; ends with a line end. */
export function printJavaScript(module: ModuleStructure): string {
  const imports = module.imports
    .filter((part) => !part.types)
    .map((part) => `import ${namesText(part.names, part.from)}`);
  return modulePieces(module, imports, javaScriptPart);
}

/**
 * Prints the code of a module as a CommonJS module, which can be released once it is no longer needed: it exports a function that takes the
 * imports of the ES module and gives its export `name`. Ends with a line end.
 */
export function printLoadable(module: ModuleStructure, name: string): string {
  const taken = module.imports.filter((part) => !part.types).flatMap((part) => part.names.map(takenName));
  const start = `'use strict';\nmodule.exports = (${taken.length === 0 ? '' : `{ ${taken.join(', ')} }`}) => {`;
  const text = modulePieces(module, [start], (part) =>
    javaScriptPart('exported' in part ? { ...part, exported: false } : part),
  );
  return `${text}\nreturn ${name};\n};\n`;
}

function takenName({ name, as }: ImportedName): string {
  return as === undefined || as === name ? name : `${name}: ${as}`;
}

function modulePieces(
  module: ModuleStructure,
  imports: readonly string[],
  print: (part: Part) => string | undefined,
): string {
  const parts = module.parts.map(print).filter((text) => text !== undefined);
  const top = [...(module.head.length === 0 ? [] : [printHead(module.head)]), ...imports].join('\n');
  return `${[top, ...parts].filter((text) => text !== '').join('\n\n')}\n`;
}

function namesText(names: readonly ImportedName[], from: string): string {
  const items = names.map(({ name, as }) => (as === undefined || as === name ? name : `${name} as ${as}`));
  const flat = `{ ${items.join(', ')} } from '${from}';`;
  return flat.length <= 108 ? flat : `{\n${items.map((item) => `  ${item},\n`).join('')}} from '${from}';`;
}

function javaScriptPart(part: Part): string | undefined {
  switch (part.kind) {
    case 'interface':
    case 'type':
      return undefined;
    case 'reexport':
      return part.names === undefined ? undefined : `export { ${part.names.join(', ')} } from '${part.from}';`;
    case 'constant':
      return `${comment(part.documentation)}${constantText(part, 'js')}`;
    case 'function':
      return `${comment(part.documentation)}${functionHeader(part, 'js')} {\n${statementLines(part.body, 'js').join('\n')}\n}`;
  }
}

function comment(lines: readonly string[] | undefined): string {
  return lines === undefined || lines.length === 0 ? '' : `${documentationText(lines)}\n`;
}
