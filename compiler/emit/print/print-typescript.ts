/**
 * Prints module structures as TypeScript with ts-morph, which is loaded only when this is called: a running server does
 * not need it. Takes structures, gives texts in the same order; the same structures give the same bytes.
 */
import { createRequire } from 'node:module';
import type * as TsMorph from 'ts-morph';
import type { ImportDeclarationStructure, Project, StatementStructures, WriterFunction } from 'ts-morph';
import { layoutCode } from '../../../templates/code.ts';
import { commentLines } from '../../../templates/literal.ts';
import type { FunctionPart, ImportPart, InterfacePart, ModuleStructure, Part } from '../../../templates/module.ts';
import { printHead } from './print-javascript.ts';
import { constantText, documentationText, functionHeader, statementLines, typeText } from './print-value.ts';

type Morph = typeof TsMorph;
type Printed = string | StatementStructures;

/**
 * ts-morph parses every file that it creates; one file for many pieces costs a third of one file for each module
 * [measured].
 */
const BATCH = 1024;
const SEPARATOR = '/* next piece */';

/**
 * A part of a module, or one of its imports, as ts-morph printed it: in a module that is printed again, most stay the
 * same.
 */
type Piece = Part | ImportPart;
const printed = new WeakMap<Piece, string>();

export function printTypeScript(modules: readonly ModuleStructure[]): readonly string[] {
  printPieces(modules.flatMap(({ imports, parts }) => [...imports, ...parts]).filter((piece) => !printed.has(piece)));
  return modules.map(moduleText);
}

function moduleText({ head, imports, parts }: ModuleStructure): string {
  const top = [...(head.length === 0 ? [] : [printHead(head)]), ...imports.map(pieceText)].join('\n');
  const rest = parts.map((part, index) => {
    const before = parts[index - 1];
    if (before === undefined) return `${top === '' ? '' : '\n\n'}${pieceText(part)}`;
    return `${part.kind === 'reexport' && before.kind === 'reexport' ? '\n' : '\n\n'}${pieceText(part)}`;
  });
  return `${top}${rest.join('')}\n`;
}

function pieceText(piece: Piece): string {
  return printed.get(piece) ?? '';
}

function printPieces(pieces: readonly Piece[]): void {
  if (pieces.length === 0) return;
  // By `require`: an `import` first searches all 13 MB for exported names, which doubles the time [measured].
  const morph = createRequire(import.meta.url)('ts-morph') as Morph;
  const project = new morph.Project({
    useInMemoryFileSystem: true,
    skipLoadingLibFiles: true,
    skipFileDependencyResolution: true,
    manipulationSettings: {
      indentationText: morph.IndentationText.TwoSpaces,
      quoteKind: morph.QuoteKind.Single,
      newLineKind: morph.NewLineKind.LineFeed,
    },
  });
  for (let from = 0; from < pieces.length; from += BATCH)
    printBatch(morph, project, pieces.slice(from, from + BATCH), from);
}

/** Parts that are already laid out. ts-morph gets a mark in place of each, so that it does not indent or parse them. */
interface LaidOut {
  readonly hold: (text: string) => string;
  readonly fill: (text: string) => string;
}

/** No part can contain a mark: no literal and no comment of a module contains the end of a comment. */
function createLaidOut(): LaidOut {
  const texts: string[] = [];
  return {
    hold: (text) => `/* part ${texts.push(text) - 1} */`,
    fill: (text) => text.replace(/ *\/\* part (\d+) \*\//g, (_, index: string) => texts[Number(index)] ?? ''),
  };
}

function printBatch(morph: Morph, project: Project, pieces: readonly Piece[], from: number): void {
  const laidOut = createLaidOut();
  const statements = pieces.flatMap((piece, index) => [
    ...(index === 0 ? [] : [SEPARATOR]),
    'kind' in piece ? partStructure(morph, piece, laidOut) : importStructure(morph, piece),
  ]);
  const file = project.createSourceFile(`/batch-${from}.ts`, { statements });
  const texts = file.getFullText().split(SEPARATOR);
  project.removeSourceFile(file);
  pieces.forEach((piece, index) => printed.set(piece, laidOut.fill(tidied(texts[index] ?? ''))));
}

function tidied(text: string): string {
  return text.replace(/ \{\n\}$/gm, ' {}').trim();
}

function importStructure(morph: Morph, part: ImportPart): ImportDeclarationStructure {
  return {
    kind: morph.StructureKind.ImportDeclaration,
    moduleSpecifier: part.from,
    isTypeOnly: part.types,
    namedImports: [namesWriter(part)],
  };
}

/** The names between the braces, one on each line when they do not fit on one. */
function namesWriter({ names, types, from }: ImportPart): WriterFunction {
  return (writer) => {
    const items = names.map(({ name, as }) => (as === undefined || as === name ? name : `${name} as ${as}`));
    const flat = items.join(', ');
    const isShort = `import ${types ? 'type ' : ''}{ ${flat} } from '${from}';`.length <= 120;
    writer.write(isShort ? flat : `\n${items.join(',\n')},\n`);
  };
}

function partStructure(morph: Morph, part: Part, laidOut: LaidOut): Printed {
  switch (part.kind) {
    case 'interface':
      return interfaceStructure(morph, part, laidOut);
    case 'type':
      return laidOut.hold(`${comment(part.documentation)}${typeText(part)}`);
    case 'constant':
      return laidOut.hold(`${comment(part.documentation)}${constantText(part, 'ts')}`);
    case 'function':
      return functionStructure(morph, part, laidOut);
    case 'reexport':
      return {
        kind: morph.StructureKind.ExportDeclaration,
        moduleSpecifier: part.from,
        isTypeOnly: part.names === undefined,
        namedExports: [...(part.names ?? [])],
      };
  }
}

function interfaceStructure(morph: Morph, part: InterfacePart, laidOut: LaidOut): Printed {
  return {
    kind: morph.StructureKind.Interface,
    name: part.name,
    isExported: part.exported,
    ...documented(part.documentation),
    properties: part.members.map((member) => ({
      name: member.key,
      // The mark takes the space before it along.
      type: member.type.includes('\n') ? laidOut.hold(` ${member.type}`) : member.type,
      isReadonly: member.mutable !== true,
      hasQuestionToken: member.optional === true,
      ...documented(member.documentation),
    })),
  };
}

function functionStructure(morph: Morph, part: FunctionPart, laidOut: LaidOut): Printed {
  const body = statementLines(part.body, 'ts');
  if (functionHeader(part, 'ts').length + 2 > 120) return laidOut.hold(longFunction(part, body));
  return {
    kind: morph.StructureKind.Function,
    name: part.typeParameters === undefined ? part.name : `${part.name}${part.typeParameters}`,
    isExported: part.exported,
    isAsync: part.asynchronous === true,
    parameters: part.parameters.map(({ name, type }) => ({ name, type })),
    returnType: part.returns,
    statements: [laidOut.hold(body.join('\n'))],
    ...documented(part.documentation),
  };
}

/** A header that does not fit on a line has one parameter on each line. */
function longFunction(part: FunctionPart, body: readonly string[]): string {
  const words = `${part.exported ? 'export ' : ''}${part.asynchronous ? 'async ' : ''}function ${part.name}${part.typeParameters ?? ''}`;
  const parameters = part.parameters.map(({ name, type }) => `${name}: ${type}`);
  const header = layoutCode(
    { open: '(', items: parameters, close: `): ${part.returns} {`, separator: ',', padding: '', trailing: ',' },
    0,
    words.length,
    0,
  );
  return `${comment(part.documentation)}${words}${header}\n${body.join('\n')}\n}`;
}

function comment(lines: readonly string[] | undefined): string {
  return lines === undefined || lines.length === 0 ? '' : `${documentationText(lines)}\n`;
}

function documented(lines: readonly string[] | undefined): { readonly docs?: string[] } {
  if (lines === undefined || lines.length === 0) return {};
  const safe = lines.flatMap(commentLines);
  const [only] = safe;
  return { docs: [safe.length === 1 && only !== undefined && only.length <= 110 ? only : `\n${safe.join('\n')}`] };
}
