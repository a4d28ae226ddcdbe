import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import {
  CodeActionKind,
  CodeActionRequest,
  type CodeAction,
  type TextDocumentEdit,
  type WorkspaceEdit,
} from 'vscode-languageserver-protocol/node';
import { actionsIn, extractFunction, keptRename, testOf, type Action } from '../../../compiler/editor/actions.ts';
import type { Edit } from '../../../compiler/editor/rename.ts';
import { hasErrors, type Diagnostic } from '../../../compiler/index.ts';
import { fixesOf } from '../../../language/diagnostics/fixes.ts';
import { shownDiagnostic } from '../diagnostic.ts';
import type { Feature, LanguageContext, Place } from '../feature.ts';
import { uriOfPath } from '../file-uri.ts';
import { rangeOf } from '../positions.ts';

interface Offered {
  readonly title: string;
  readonly edits: readonly Edit[];
  readonly about?: Diagnostic;
  /** The only repair of its finding. */
  readonly preferred?: boolean;
}

/** The repairs of the findings in the range, what is missing there, and a test for the decision there. */
export const codeActions: Feature = {
  capabilities: { codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix, CodeActionKind.Refactor] } },
  register: (_, at) => {
    at(
      CodeActionRequest.type,
      (place, parameters, context) => {
        const { file, project, from, to } = place;
        const found = project
          .diagnostics()
          .filter(({ span }) => span.file.name === file.name && span.start <= to && span.end >= from);
        const offered: readonly Offered[] = [
          ...found.flatMap(repairs),
          ...actionsIn({ file, from, to }, found, project.known(), project.symbols()),
        ];
        const actions = [
          ...offered.map((each) => codeAction(context, each)),
          ...rewritings(place).map(({ kind, ...each }) => ({ ...codeAction(context, each), kind })),
        ];
        const test = testAction(context, place);
        const all = test === undefined ? actions : [...actions, test];
        const only = parameters.context.only ?? [''];
        return all.filter(({ kind = '' }) =>
          only.some((wanted) => wanted === '' || `${kind}.`.startsWith(`${wanted}.`)),
        );
      },
      'diagnostics',
    );
  },
};

/** Refactorings of a text without errors. */
function rewritings({ project, file, from, to }: Place): readonly (Action & { kind: CodeActionKind })[] {
  const { result } = project.compiled();
  if (hasErrors(result.diagnostics)) return [];
  const extracted = from < to ? extractFunction(file, from, to, result.registry) : undefined;
  const kept = keptRename(file, from, project.symbols(), result.catalog);
  return [
    ...(extracted === undefined || project.problemWith(extracted.edits) !== undefined
      ? []
      : [{ ...extracted, kind: CodeActionKind.RefactorExtract }]),
    ...(kept === undefined ? [] : [{ ...kept, kind: CodeActionKind.RefactorRewrite }]),
  ];
}

function repairs(about: Diagnostic): readonly Offered[] {
  const fixes = fixesOf(about);
  return fixes.map(({ title, span, replacement }) => ({
    title,
    about,
    preferred: fixes.length === 1,
    edits: [{ span, text: replacement }],
  }));
}

function codeAction({ workspace }: LanguageContext, { title, about, edits, preferred }: Offered): CodeAction {
  const changes: Record<string, { range: ReturnType<typeof rangeOf>; newText: string }[]> = {};
  for (const { span, text } of edits)
    (changes[workspace.uriOf(span.file.name)] ??= []).push({ range: rangeOf(span), newText: text });
  return {
    title,
    kind: about === undefined ? CodeActionKind.Refactor : CodeActionKind.QuickFix,
    ...(preferred === undefined ? {} : { isPreferred: preferred }),
    ...(about === undefined ? {} : { diagnostics: [shownDiagnostic(about, workspace.uriOf)] }),
    edit: { changes },
  };
}

/** The test goes to the end of the script that has the name of the file, below the first folder of tests. */
function testAction({ workspace, client }: LanguageContext, { project, file, from }: Place): CodeAction | undefined {
  const made = testOf(file, from, project.known());
  const folder = project.tests().find((path) => !path.endsWith('.schema'));
  if (made === undefined || folder === undefined) return undefined;
  const path = join(folder, basename(file.name));
  const known = project.files().find(({ name }) => name === path);
  const title = `add a test of '${made.decision}' to ${basename(folder)}/${basename(path)}`;
  const action = (edit: WorkspaceEdit): CodeAction => ({ title, kind: CodeActionKind.Refactor, edit });
  const uri = workspace.uriOf(path);
  if (known !== undefined) {
    const { text: before } = known;
    const end = before.length;
    const newText = `${before === '' || before.endsWith('\n') ? '' : '\n'}${before === '' ? '' : '\n'}${made.text}`;
    return action({ changes: { [uri]: [{ range: rangeOf({ file: known, start: end, end }), newText }] } });
  }
  const can = client.workspace?.workspaceEdit;
  if (existsSync(path) || can?.documentChanges !== true || can.resourceOperations?.includes('create') !== true)
    return undefined;
  const start = { line: 0, character: 0 };
  const filled: TextDocumentEdit = {
    textDocument: { uri: uriOfPath(path), version: null },
    edits: [{ range: { start, end: start }, newText: made.text }],
  };
  return action({ documentChanges: [{ kind: 'create', uri: uriOfPath(path) }, filled] });
}
