import {
  DidChangeTextDocumentNotification,
  DidChangeWatchedFilesNotification,
  DidCloseTextDocumentNotification,
  DidOpenTextDocumentNotification,
  DidSaveTextDocumentNotification,
  type ProtocolConnection,
} from 'vscode-languageserver-protocol/node';
import { pathOfUri } from './file-uri.ts';
import { offsetOf } from './positions.ts';
import type { Publisher } from './publisher.ts';
import type { Workspace } from './workspace.ts';

interface Followed {
  readonly workspace: Workspace;
  readonly publisher: Publisher;
  /** Does the work of a notification, if the server is ready; reports its faults. */
  readonly notified: (work: () => void) => void;
  readonly diskChanged: (paths: readonly string[]) => void;
  /** Receives the path of each text that the editor opens. */
  readonly opened: (path: string) => void;
}

/** Keeps the workspace as the editor's texts and the files on disk are, and has their diagnostics published. */
export function followDocuments(
  connection: ProtocolConnection,
  { workspace, publisher, notified, diskChanged, opened }: Followed,
): void {
  connection.onNotification(DidOpenTextDocumentNotification.type, ({ textDocument: { uri, version, text } }) =>
    notified(() => {
      if (workspace.open(uri, version, text) === undefined) return;
      publisher.changed(uri, undefined);
      const path = pathOfUri(uri);
      if (path !== undefined) opened(path);
    }),
  );
  connection.onNotification(
    DidChangeTextDocumentNotification.type,
    ({ textDocument: { uri, version }, contentChanges }) =>
      notified(() => {
        const text = workspace.change(uri, version, contentChanges);
        const last = contentChanges.at(-1);
        if (text !== undefined)
          publisher.changed(uri, last !== undefined && 'range' in last ? offsetOf(text.file, last.range.start) : 0);
      }),
  );
  connection.onNotification(DidSaveTextDocumentNotification.type, ({ textDocument: { uri } }) =>
    notified(() => {
      const path = pathOfUri(uri);
      if (path !== undefined) workspace.diskChanged([path]);
      publisher.sendAll(uri);
    }),
  );
  connection.onNotification(DidCloseTextDocumentNotification.type, ({ textDocument: { uri } }) =>
    notified(() => {
      workspace.close(uri);
      publisher.refresh();
    }),
  );
  connection.onNotification(DidChangeWatchedFilesNotification.type, ({ changes }) =>
    notified(() => diskChanged(changes.flatMap(({ uri }) => pathOfUri(uri) ?? []))),
  );
}
