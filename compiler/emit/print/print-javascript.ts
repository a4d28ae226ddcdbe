/**
 * Prints module structures as JavaScript with a source map, and as declarations, without ts-morph and without
 * TypeScript: `run`, sessions and live changes use this. The text of values is the one that the TypeScript printer
 * prints.
 */
import { commentLines } from '../../../templates/literal.ts';
import type { FunctionPart, ImportedName, InterfacePart, ModuleStructure, Part } from '../../../templates/module.ts';
import { constantText, documentationText, functionHeader, statementLines, typeText } from './print-value.ts';

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
 * The same code as a CommonJS module, which can be released once it is no longer needed: it exports a function that
 * takes the imports of the ES module and gives its export `name`. Ends with a line end.
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

/** The module's declarations, as `.d.ts` text. */
export function printDeclarations(module: ModuleStructure): string {
  const parts = module.parts.map(declarationPart).join('\n');
  const used = ({ name, as = name }: ImportedName): boolean => namesWord(parts, as);
  const imports = module.imports
    .map((part) => ({ ...part, names: part.types ? part.names.filter(used) : [] }))
    .filter((part) => part.names.length > 0)
    .map((part) => `import type ${namesText(part.names, part.from)}`);
  const text = modulePieces(module, imports, declarationPart);
  return /^export /m.test(text) ? text : `${text}export {};\n`;
}

function namesWord(text: string, name: string): boolean {
  const isPart = (at: number): boolean => /[\w$]/.test(text.charAt(at));
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1))
    if (!isPart(at - 1) && !isPart(at + name.length)) return true;
  return false;
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
      return part.types ? undefined : `export ${namesText(part.names, part.from)}`;
    case 'constant':
      return `${comment(part.documentation)}${constantText(part, 'js')}`;
    case 'function':
      return `${comment(part.documentation)}${functionHeader(part, 'js')} {\n${statementLines(part.body, 'js').join('\n')}\n}`;
    case 'statement':
      return statementLines([part.statement], 'js', 0).join('\n');
  }
}

function declarationPart(part: Part): string | undefined {
  switch (part.kind) {
    case 'interface':
      return part.exported ? `${comment(part.documentation)}${interfaceText(part)}` : undefined;
    case 'type':
      return part.exported ? `${comment(part.documentation)}${typeText(part)}` : undefined;
    case 'reexport':
      return `export ${part.types ? 'type ' : ''}${namesText(part.names, part.from)}`;
    case 'constant':
      return part.exported
        ? `${comment(part.documentation)}export declare const ${part.name}: ${part.type ?? 'unknown'};`
        : undefined;
    case 'function':
      return part.exported ? `${comment(part.documentation)}${declaredFunction(part)}` : undefined;
    case 'statement':
      return undefined;
  }
}

function interfaceText(part: InterfacePart): string {
  const members = part.members.map(({ key, type, optional, mutable, documentation }) => {
    const above = documentation === undefined ? '' : `${documentationText(documentation, 2)}\n`;
    return `${above}  ${mutable ? '' : 'readonly '}${key}${optional ? '?' : ''}: ${type};\n`;
  });
  return `${part.exported ? 'export ' : ''}interface ${part.name} {${members.length === 0 ? '' : '\n'}${members.join('')}}`;
}

function declaredFunction(part: FunctionPart): string {
  return `${functionHeader({ ...part, exported: false }, 'ts').replace(/^(async )?function/, 'export declare function')};`;
}

function comment(lines: readonly string[] | undefined): string {
  return lines === undefined || lines.length === 0 ? '' : `${documentationText(lines)}\n`;
}
