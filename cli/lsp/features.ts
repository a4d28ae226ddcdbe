import { TextDocumentSyncKind } from 'vscode-languageserver-protocol/node';
import type { Feature } from './feature.ts';
import { formatting } from './features/formatting.ts';

const texts: Feature = {
  capabilities: {
    positionEncoding: 'utf-16',
    textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: true },
  },
  register: () => undefined,
};

/** Everything that an editor learns of, in the order of docs/editor.md. */
export const features: readonly Feature[] = [texts, formatting];
