import { CodeActionKind, CodeActionRequest, type CodeAction } from 'vscode-languageserver-protocol/node';
import { shownDiagnostic } from '../diagnostic.ts';
import { placeIn, type Feature } from '../feature.ts';
import { offsetOf, rangeOf } from '../positions.ts';

/** The repairs that diagnostics carry. */
export const codeActions: Feature = {
  capabilities: { codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix] } },
  register: (answer) => {
    answer(CodeActionRequest.type, (context, parameters) => {
      const place = placeIn(context, parameters);
      if (place === undefined) return null;
      const { workspace } = context;
      const { file } = place.text;
      const [from, to] = [offsetOf(file, parameters.range.start), offsetOf(file, parameters.range.end)];
      return place.project.diagnostics().flatMap((diagnostic): CodeAction[] => {
        const { span, fix } = diagnostic;
        if (fix === undefined || span.file.name !== file.name || span.start > to || span.end < from) return [];
        const uri = workspace.uriOf(fix.span.file.name);
        return [
          {
            title: fix.title,
            kind: CodeActionKind.QuickFix,
            isPreferred: true,
            diagnostics: [shownDiagnostic(diagnostic, workspace.uriOf)],
            edit: { changes: { [uri]: [{ range: rangeOf(fix.span), newText: fix.replacement }] } },
          },
        ];
      });
    });
  },
};
