import { CodeActionKind, CodeActionRequest, type CodeAction } from 'vscode-languageserver-protocol/node';
import type { Diagnostic, Fix } from '../../../language/diagnostics/diagnostic.ts';
import { offeredNames } from '../../../language/diagnostics/suggestion.ts';
import { shownDiagnostic } from '../diagnostic.ts';
import { placeIn, type Feature } from '../feature.ts';
import { offsetOf, rangeOf } from '../positions.ts';

/** The repairs that diagnostics carry, and the names that their messages offer. */
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
        const { span } = diagnostic;
        if (span.file.name !== file.name || span.start > to || span.end < from) return [];
        const fixes = diagnostic.fix === undefined ? namesToWrite(diagnostic) : [diagnostic.fix];
        return fixes.map((fix) => ({
          title: fix.title,
          kind: CodeActionKind.QuickFix,
          isPreferred: fixes.length === 1,
          diagnostics: [shownDiagnostic(diagnostic, workspace.uriOf)],
          edit: {
            changes: {
              [workspace.uriOf(fix.span.file.name)]: [{ range: rangeOf(fix.span), newText: fix.replacement }],
            },
          },
        }));
      });
    });
  },
};

/** A message that offers names, and is about one name in the text itself: each of them in its place, with its quotes, colon, qualifiers and numbers. */
function namesToWrite({ span, message }: Diagnostic): readonly Fix[] {
  if (span.applied !== undefined) return [];
  const written = /^((?:[\w"]+\.)*:?"?)[\w$]+("?(?:\([^()]*\))?)$/.exec(span.file.text.slice(span.start, span.end));
  if (written === null) return [];
  const [, before = '', after = ''] = written;
  const names = offeredNames(message).map((name) => name.replace(/^:/, ''));
  return names.map((name) => ({
    title: `write '${name}'`,
    span,
    replacement: name.includes('.') ? name : before + name + after,
  }));
}
