import type {
  CancellationToken,
  ClientCapabilities,
  MessageType,
  Position,
  ProtocolRequestType,
  Range,
  ServerCapabilities,
  TextDocumentIdentifier,
} from 'vscode-languageserver-protocol/node';
import type { SourceFile } from '../../compiler/index.ts';
import type { Workspace } from './workspace.ts';
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

/** Answers a kind of request about an open text; null for a text that is not ours. */
export type AnswerAt = <P extends About, R>(
  type: ProtocolRequestType<P, R | null, unknown, unknown, unknown>,
  work: (place: Place, parameters: P, context: LanguageContext) => R | null,
  needs?: Made,
) => void;

/** Something that an editor can ask for: the capabilities that it learns of, and the answers. */
export interface Feature {
  readonly capabilities: ServerCapabilities;
  readonly register: (answer: Answer, at: AnswerAt) => void;
}

interface About {
  readonly textDocument: TextDocumentIdentifier;
  readonly position?: Position;
  readonly range?: Range;
}

/** An open text, and where in it: a position, or a range, which is the whole text for a request without one. */
export interface Place {
  readonly uri: string;
  readonly file: SourceFile;
  readonly project: Project;
  readonly offset: number;
  readonly from: number;
  readonly to: number;
}

/** Makes the function that answers requests about a place. */
export function createAnswerAt(answer: Answer): AnswerAt {
  return (type, work, needs) => {
    answer(
      type,
      (context, parameters) => {
        const place = placeIn(context, parameters);
        return place === undefined ? null : work(place, parameters, context);
      },
      needs,
    );
  };
}

function placeIn({ workspace }: LanguageContext, { textDocument, position, range }: About): Place | undefined {
  const text = workspace.textOf(textDocument.uri);
  if (text === undefined) return undefined;
  const { uri, file } = text;
  return {
    uri,
    file,
    project: workspace.projectOf(file.name),
    offset: position === undefined ? 0 : offsetOf(file, position),
    from: range === undefined ? 0 : offsetOf(file, range.start),
    to: range === undefined ? file.text.length : offsetOf(file, range.end),
  };
}
