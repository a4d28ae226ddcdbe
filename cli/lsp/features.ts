import { TextDocumentSyncKind } from 'vscode-languageserver-protocol/node';
import type { Feature } from './feature.ts';
import { codeActions } from './features/code-actions.ts';
import { completion } from './features/completion.ts';
import { formatting } from './features/formatting.ts';
import { hints } from './features/hints.ts';
import { hover } from './features/hover.ts';
import { lenses } from './features/lenses.ts';
import { navigation } from './features/navigation.ts';
import { outline } from './features/outline.ts';
import { rename } from './features/rename.ts';
import { running } from './features/running.ts';

const texts: Feature = {
  capabilities: {
    positionEncoding: 'utf-16',
    textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: true },
  },
  register: () => undefined,
};

/** Everything that an editor learns of, in the order of docs/editor.md. */
export const features: readonly Feature[] = [
  texts,
  completion,
  hover,
  navigation,
  rename,
  outline,
  codeActions,
  hints,
  lenses,
  formatting,
  running,
];
