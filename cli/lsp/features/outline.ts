import {
  DocumentSymbolRequest,
  FoldingRangeRequest,
  SelectionRangeRequest,
  SymbolKind,
  WorkspaceSymbolRequest,
  type DocumentSymbol,
  type SelectionRange,
  type SymbolInformation,
} from 'vscode-languageserver-protocol/node';
import { foldsOf, outlineOf, rangesAround, type OutlineItem } from '../../../compiler/editor/outline.ts';
import type { SourceFile } from '../../../compiler/index.ts';
import type { Feature, LanguageContext } from '../feature.ts';
import { offsetOf, rangeOf } from '../positions.ts';

const kinds: Readonly<Record<OutlineItem['kind'], SymbolKind>> = {
  aggregate: SymbolKind.Class,
  command: SymbolKind.Method,
  event: SymbolKind.Event,
  decision: SymbolKind.Function,
  projection: SymbolKind.Interface,
  eventstore: SymbolKind.Package,
  template: SymbolKind.Module,
  enum: SymbolKind.Enum,
  claim: SymbolKind.Key,
  function: SymbolKind.Function,
  subscription: SymbolKind.Event,
  reaction: SymbolKind.Function,
  part: SymbolKind.Field,
  statement: SymbolKind.Operator,
};

/** An editor draws a list; more is of no use. */
const mostFound = 500;

export const outline: Feature = {
  capabilities: {
    documentSymbolProvider: true,
    workspaceSymbolProvider: true,
    foldingRangeProvider: true,
    selectionRangeProvider: true,
  },
  register: (answer, at) => {
    at(DocumentSymbolRequest.type, ({ file }, _, context) => {
      const nested = context.client.textDocument?.documentSymbol?.hierarchicalDocumentSymbolSupport === true;
      const items = outlineOf(file);
      return nested
        ? items.map((item) => symbolOf(file, item))
        : items.flatMap((item) => flatSymbols(context, file, item));
    });
    answer(WorkspaceSymbolRequest.type, ({ workspace }, { query }) => {
      const wanted = query.toLowerCase();
      const files = new Map(
        workspace
          .projects()
          .flatMap((project) => project.files())
          .map((file) => [file.name, file]),
      );
      const found = Array.from(files.values()).flatMap((file) =>
        outlineOf(file)
          .filter(({ kind, name }) => kind !== 'statement' && name.toLowerCase().includes(wanted))
          .map(({ name, kind, nameStart: start, nameEnd: end }) => ({
            name,
            kind: kinds[kind],
            location: { uri: workspace.uriOf(file.name), range: rangeOf({ file, start, end }) },
          })),
      );
      return found.slice(0, mostFound);
    });
    at(FoldingRangeRequest.type, ({ file }) =>
      foldsOf(file).map(({ start, end, comment }) => {
        const range = rangeOf({ file, start, end });
        return { startLine: range.start.line, endLine: range.end.line, ...(comment ? { kind: 'comment' } : {}) };
      }),
    );
    at(SelectionRangeRequest.type, ({ file }, { positions }) =>
      positions.map((position) => selectionOf(file, offsetOf(file, position))),
    );
  },
};

function symbolOf(file: SourceFile, item: OutlineItem): DocumentSymbol {
  return {
    name: item.name,
    kind: kinds[item.kind],
    range: rangeOf({ file, start: item.start, end: item.end }),
    selectionRange: rangeOf({ file, start: item.nameStart, end: item.nameEnd }),
    children: item.parts.map((part) => symbolOf(file, part)),
  };
}

/** For editors that draw no tree: each symbol with the one around it. */
function flatSymbols(
  context: LanguageContext,
  file: SourceFile,
  item: OutlineItem,
  around?: string,
): SymbolInformation[] {
  const { name, kind, start, end, parts } = item;
  const location = { uri: context.workspace.uriOf(file.name), range: rangeOf({ file, start, end }) };
  const own = { name, kind: kinds[kind], location, ...(around === undefined ? {} : { containerName: around }) };
  return [own, ...parts.flatMap((part) => flatSymbols(context, file, part, name))];
}

function selectionOf(file: SourceFile, offset: number): SelectionRange {
  const [first = { start: 0, end: file.text.length }, ...wider] = rangesAround(file, offset)
    .map((range) => rangeOf({ file, ...range }))
    .map((range): SelectionRange => ({ range }));
  if (!('range' in first)) return { range: rangeOf({ file, ...first }) };
  let inner = first;
  for (const outer of wider) {
    inner.parent = outer;
    inner = outer;
  }
  return first;
}
