import type {
  CancellationToken,
  ClientCapabilities,
  MessageType,
  Position,
  ProtocolRequestType,
  ServerCapabilities,
  TextDocumentIdentifier,
} from 'vscode-languageserver-protocol/node';
import type { OpenText, Workspace } from './workspace.ts';
import type { Made, Project } from './project.ts';
import { offsetOf } from './positions.ts';
import type { Runs } from './runs/runs.ts';

export interface LanguageContext {
  readonly workspace: Workspace;
  readonly client: ClientCapabilities;
  /** Tells of a fault that no answer shows. */
  readonly say: (fault: unknown) => void;
  /** Undefined in a folder that the user does not trust. */
  readonly runs: Runs | undefined;
  /** Shows the user a sentence. */
  readonly show: (type: MessageType, message: string) => void;
  /** Called when hints and colours of the texts may differ. */
  readonly refresh: () => void;
}

/**
 * Answers a kind of request; an error of the work becomes the answer. The work begins when what it needs of the project is made. A request that
 * is cancelled before, or whose text changes before, is refused.
 */
export type Answer = <P, R>(
  type: ProtocolRequestType<P, R, unknown, unknown, unknown>,
  work: (context: LanguageContext, parameters: P, token: CancellationToken) => R | Promise<R>,
  needs?: Made,
) => void;

/** Something that an editor can ask for: the capabilities that it learns of, and the answers. */
export interface Feature {
  readonly capabilities: ServerCapabilities;
  readonly register: (answer: Answer) => void;
}

export interface Place {
  readonly text: OpenText;
  readonly project: Project;
  readonly offset: number;
}

/** The open text of a request, and where in it; undefined for a text that is not ours. */
export function placeIn(
  { workspace }: LanguageContext,
  { textDocument, position }: { readonly textDocument: TextDocumentIdentifier; readonly position?: Position },
): Place | undefined {
  const text = workspace.textOf(textDocument.uri);
  if (text === undefined) return undefined;
  const offset = position === undefined ? 0 : offsetOf(text.file, position);
  return { text, project: workspace.projectOf(text.file.name), offset };
}
