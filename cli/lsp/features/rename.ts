import {
  LSPErrorCodes,
  PrepareRenameRequest,
  RenameRequest,
  ResponseError,
  type TextDocumentEdit,
  type TextEdit,
  type WorkspaceEdit,
} from 'vscode-languageserver-protocol/node';
import { renameable, renamed, type Edit } from '../../../compiler/editor/rename.ts';
import type { SymbolTarget } from '../../../compiler/index.ts';
import type { Feature, LanguageContext } from '../feature.ts';
import { rangeOf } from '../positions.ts';

export const rename: Feature = {
  capabilities: { renameProvider: { prepareProvider: true } },
  register: (_, at) => {
    at(
      PrepareRenameRequest.type,
      ({ file, project, offset }) => {
        const found = renameable(file, offset, project.symbols());
        if ('refused' in found) throw refusal(found.refused);
        return { range: rangeOf(found.span), placeholder: found.name };
      },
      'symbols',
    );
    at(
      RenameRequest.type,
      ({ file, project, offset }, { newName }, context) => {
        const { catalog } = project.compiled().result;
        const found = renamed(file, offset, project.symbols(), catalog, newName);
        if (found.refused !== undefined) throw refusal(found.refused);
        const problem = project.problemWith(found.edits);
        if (problem !== undefined) throw refusal(`the text would not compile any longer: ${problem}`);
        return workspaceEdit(context, found.edits, meaningForStored(found.target));
      },
      'symbols',
    );
  },
};

function refusal(reason: string): ResponseError {
  return new ResponseError(LSPErrorCodes.RequestFailed, reason);
}

/** Consequences of a rename for the events that a log may have. */
function meaningForStored({ kind, name, part }: SymbolTarget): string | undefined {
  if (kind === 'enum' && part !== undefined)
    return `Stored events keep '${part}': a log that has events with a field of ${name} refuses the definition without that value.`;
  if (kind !== 'event') return undefined;
  return part === undefined
    ? `Events that are stored as ${name} keep that name, and are no longer read as the renamed event.`
    : `Stored events of ${name} keep the field '${part}', and read NULL for the new name.`;
}

function workspaceEdit(
  { workspace, client }: LanguageContext,
  edits: readonly Edit[],
  confirmation: string | undefined,
): WorkspaceEdit {
  const byUri = new Map<string, TextEdit[]>();
  for (const { span, text } of edits) {
    const uri = workspace.uriOf(span.file.name);
    byUri.set(uri, [...(byUri.get(uri) ?? []), { range: rangeOf(span), newText: text }]);
  }
  const can = client.workspace?.workspaceEdit;
  if (can?.documentChanges !== true) return { changes: Object.fromEntries(byUri) };
  const annotated = confirmation !== undefined && can.changeAnnotationSupport !== undefined;
  const documentChanges = Array.from(byUri, ([uri, own]): TextDocumentEdit => ({
    textDocument: { uri, version: workspace.textOf(uri)?.version ?? null },
    edits: annotated ? own.map((edit) => ({ ...edit, annotationId: 'stored' })) : own,
  }));
  if (!annotated) return { documentChanges };
  const stored = { label: 'Rename of what events store', description: confirmation, needsConfirmation: true };
  return { documentChanges, changeAnnotations: { stored } };
}
