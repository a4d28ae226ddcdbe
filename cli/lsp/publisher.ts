/**
 * Times at which diagnostics are sent. Soon after a change: for the changed text, with findings about the statement being typed, and no
 * other new ones. Once the typing pauses: for all texts, exactly the findings of `check`.
 */
import type { Diagnostic as ShownDiagnostic, PublishDiagnosticsParams } from 'vscode-languageserver-protocol/node';
import type { Diagnostic } from '../../compiler/index.ts';
import { shownDiagnostic } from './diagnostic.ts';
import { inSlices } from '../../server/registry/in-slices.ts';
import type { Made, Project } from './project.ts';
import type { Workspace } from './workspace.ts';

export interface Publisher {
  /** A text was changed at that offset: undefined when it was opened. */
  readonly changed: (uri: string, offset: number | undefined) => void;
  /** Everything may differ. */
  readonly refresh: () => void;
  /** Sends everything now; of the text that was saved also if nothing differs. */
  readonly sendAll: (saved: string) => void;
  readonly stop: () => void;
  /** Resolves when everything was sent for the first time. */
  readonly begun: Promise<void>;
}

export interface Pauses {
  /** Milliseconds after a change, until findings in its text are sent. */
  readonly soon: number;
  /** Milliseconds after the last change, until everything is sent. */
  readonly pause: number;
  /** Milliseconds of work, until messages are read again. */
  readonly slice: number;
}

export const usualPauses: Pauses = { soon: 15, pause: 300, slice: 8 };

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
  let begin = (): void => undefined;
  const begun = new Promise<void>((resolve) => (begin = resolve));

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
  /** Makes a part of a project, while messages are read; tells whether its texts are still the same. */
  const made = async (project: Project, what: Made): Promise<boolean> => {
    const revision = project.revision();
    await inSlices(project.making(what), undefined, pauses.slice);
    return project.revision() === revision;
  };
  const guarded = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      onFault(error);
    }
  };

  const publishSoon = async (): Promise<void> => {
    for (const [uri, offset] of waiting) {
      const text = workspace.textOf(uri);
      if (text === undefined) continue;
      await guarded(async () => {
        const project = workspace.projectOf(text.file.name);
        // Known findings of a text that was opened are sent with everything else.
        if (offset === undefined && project.hasDiagnostics()) return;
        if (!(await made(project, 'compiled')) || !waiting.has(uri)) return;
        const { result } = project.compiled();
        const found = result.diagnostics.filter(({ span }) => span.file.name === text.file.name);
        publish(uri, offset === undefined ? found : soonShown(found, text.file.text, offset, sent.get(uri)), true);
        // An opened text gets the rest only if there is more.
        if (offset === undefined) waiting.delete(uri);
      });
    }
  };

  /** Numbers the sendings: a later call sends everything that an earlier one, which a change overtook, has left out. */
  let sendings = 0;
  const sendAll = async (saved?: string): Promise<void> => {
    stop();
    const mine = ++sendings;
    if (saved !== undefined && !waiting.has(saved)) waiting.set(saved, undefined);
    const changed = new Set(waiting.keys());
    const seen = new Set<string>();
    await guarded(() => {
      // A text that was opened may be the first of its project.
      for (const uri of changed) {
        const text = workspace.textOf(uri);
        if (text !== undefined) workspace.projectOf(text.file.name);
      }
      return Promise.resolve();
    });
    for (const project of workspace.projects()) {
      await guarded(async () => {
        if ((await made(project, 'diagnostics')) && mine === sendings) publishProject(project, changed, seen);
      });
      // Each change of a text begins another sending.
      if (mine !== sendings) return;
    }
    for (const { uri, message } of workspace.problems()) {
      seen.add(uri);
      publishShown(uri, [{ range: firstPlace, severity: 1, source: 'schemac', message }], [], false);
    }
    // Files that have left their compilation.
    for (const uri of [...sent.keys()]) if (!seen.has(uri)) publishShown(uri, [], [], true);
    for (const uri of changed) waiting.delete(uri);
    begin();
    // The typing has paused: the names are collected for the questions that come now.
    for (const project of workspace.projects())
      await guarded(async () => {
        if (mine === sendings) await made(project, 'symbols');
      });
  };
  const publishProject = (project: Project, changed: ReadonlySet<string>, seen: Set<string>): void => {
    const byFile = new Map(project.files().map(({ name }): [string, Diagnostic[]] => [name, []]));
    for (const diagnostic of project.diagnostics()) byFile.get(diagnostic.span.file.name)?.push(diagnostic);
    for (const [name, diagnostics] of byFile) {
      const uri = workspace.uriOf(name);
      if (seen.has(uri)) continue;
      seen.add(uri);
      publish(uri, diagnostics, changed.has(uri));
    }
  };
  const stop = (): void => {
    clearTimeout(soon);
    clearTimeout(later);
  };
  const wait = (): void => {
    sendings++;
    clearTimeout(later);
    later = setTimeout(() => void sendAll(), pauses.pause);
  };
  return {
    begun,
    changed: (uri, offset) => {
      waiting.set(uri, offset);
      clearTimeout(soon);
      if (offset === undefined) {
        sendings++;
        clearTimeout(later);
        soon = setTimeout(() => void publishSoon().then(() => sendAll()), pauses.soon);
      } else {
        soon = setTimeout(() => void publishSoon(), pauses.soon);
        wait();
      }
    },
    refresh: wait,
    sendAll: (saved) => void sendAll(saved),
    stop: () => {
      sendings++;
      stop();
    },
  };
}

/** Findings about the statement that is being typed, and findings that were shown before. */
function soonShown(
  found: readonly Diagnostic[],
  text: string,
  offset: number,
  sent: Sent | undefined,
): readonly Diagnostic[] {
  const before = new Set(sent?.diagnostics.map(identity));
  const typed = statementAround(text, offset);
  const isTyped = ({ span }: Diagnostic): boolean => span.start <= typed.end && span.end >= typed.start;
  return found.filter((each) => isTyped(each) || before.has(identity(each)));
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
