/**
 * When diagnostics are sent. Soon after a change: for the changed text, so that what it says of the statement being typed is seen, and nothing
 * new of the rest. Once the typing pauses: for all texts, exactly what `check` says.
 */
import type { Diagnostic as ShownDiagnostic, PublishDiagnosticsParams } from 'vscode-languageserver-protocol/node';
import type { Diagnostic } from '../../compiler/index.ts';
import { shownDiagnostic } from './diagnostic.ts';
import type { Project } from './project.ts';
import type { Workspace } from './workspace.ts';

export interface Publisher {
  /** A text was changed at that offset: undefined when it was opened. */
  readonly changed: (uri: string, offset: number | undefined) => void;
  /** Everything may differ. */
  readonly refresh: () => void;
  /** Sends everything now. */
  readonly sendAll: () => void;
  readonly stop: () => void;
}

export interface Pauses {
  /** Milliseconds after a change, until what is wrong in its text is sent. */
  readonly soon: number;
  /** Milliseconds after the last change, until everything is sent. */
  readonly pause: number;
}

export const usualPauses: Pauses = { soon: 15, pause: 300 };

/** More in one text are of no help, and an editor draws each of them. */
const mostInFile = 100;

interface Sent {
  readonly diagnostics: readonly Diagnostic[];
  readonly text: string;
}

export function createPublisher(
  workspace: Workspace,
  send: (parameters: PublishDiagnosticsParams) => void,
  onFault: (error: unknown) => void,
  pauses: Pauses,
): Publisher {
  const sent = new Map<string, Sent>();
  /** Changed since they were last sent. */
  const waiting = new Map<string, number | undefined>();
  let soon: NodeJS.Timeout | undefined;
  let later: NodeJS.Timeout | undefined;

  const publish = (uri: string, diagnostics: readonly Diagnostic[], always: boolean): void => {
    const shown = diagnostics.slice(0, mostInFile).map((each) => shownDiagnostic(each, workspace.uriOf));
    publishShown(uri, shown, diagnostics, always);
  };
  const publishShown = (
    uri: string,
    shown: readonly ShownDiagnostic[],
    diagnostics: readonly Diagnostic[],
    always: boolean,
  ): void => {
    const text = JSON.stringify(shown);
    if (!always && (sent.get(uri)?.text ?? '[]') === text) return;
    if (shown.length === 0) sent.delete(uri);
    else sent.set(uri, { diagnostics, text });
    const version = workspace.textOf(uri)?.version;
    send({ uri, ...(version === undefined ? {} : { version }), diagnostics: [...shown] });
  };
  const guarded = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      onFault(error);
    }
  };

  const publishSoon = (): void => {
    for (const [uri, offset] of waiting) {
      const text = workspace.textOf(uri);
      if (text === undefined || offset === undefined) continue;
      guarded(() => {
        const { result } = workspace.projectOf(text.file.name).compiled();
        const found = result.diagnostics.filter(({ span }) => span.file.name === text.file.name);
        const before = new Set(sent.get(uri)?.diagnostics.map(identity));
        const typed = statementAround(text.file.text, offset);
        const isTyped = ({ span }: Diagnostic): boolean => span.start <= typed.end && span.end >= typed.start;
        publish(
          uri,
          found.filter((each) => isTyped(each) || before.has(identity(each))),
          true,
        );
      });
    }
  };

  const sendAll = (): void => {
    stop();
    const changed = new Set(waiting.keys());
    waiting.clear();
    const seen = new Set<string>();
    guarded(() => {
      // A text that was opened may be the first of its project.
      for (const uri of changed) {
        const text = workspace.textOf(uri);
        if (text !== undefined) workspace.projectOf(text.file.name);
      }
    });
    for (const project of workspace.projects())
      guarded(() =>
        publishProject(project, (uri, diagnostics) => {
          if (seen.has(uri)) return;
          seen.add(uri);
          publish(uri, diagnostics, changed.has(uri));
        }),
      );
    for (const { uri, message } of workspace.problems()) {
      seen.add(uri);
      publishShown(uri, [{ range: firstPlace, severity: 1, source: 'schemac', message }], [], false);
    }
    // Files that have left their compilation.
    for (const uri of [...sent.keys()]) if (!seen.has(uri)) publishShown(uri, [], [], true);
  };
  const publishProject = (project: Project, each: (uri: string, diagnostics: readonly Diagnostic[]) => void): void => {
    const byFile = new Map(project.files().map(({ name }): [string, Diagnostic[]] => [name, []]));
    for (const diagnostic of project.diagnostics()) byFile.get(diagnostic.span.file.name)?.push(diagnostic);
    for (const [name, diagnostics] of byFile) each(workspace.uriOf(name), diagnostics);
  };
  const stop = (): void => {
    clearTimeout(soon);
    clearTimeout(later);
  };
  const wait = (): void => {
    clearTimeout(later);
    later = setTimeout(sendAll, pauses.pause);
  };
  return {
    changed: (uri, offset) => {
      waiting.set(uri, offset);
      clearTimeout(soon);
      soon = setTimeout(publishSoon, pauses.soon);
      if (offset === undefined) {
        clearTimeout(later);
        later = setTimeout(sendAll, pauses.soon);
      } else wait();
    },
    refresh: wait,
    sendAll,
    stop,
  };
}

const firstPlace = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

function identity({ code, message }: Diagnostic): string {
  return `${code} ${message}`;
}

/** Roughly: from the `;` before the place to the one behind it. */
function statementAround(text: string, offset: number): { readonly start: number; readonly end: number } {
  const start = text.lastIndexOf(';', offset - 1) + 1;
  const end = text.indexOf(';', offset);
  return { start, end: end < 0 ? text.length : end };
}
