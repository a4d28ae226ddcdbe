import {
  ErrorCodes,
  LSPErrorCodes,
  ResponseError,
  type CancellationToken,
  type ProtocolConnection,
} from 'vscode-languageserver-protocol/node';
import { inSlices } from '../../server/registry/in-slices.ts';
import type { Answer, LanguageContext } from './feature.ts';
import { refuseMalformed } from './parameters.ts';
import type { Made } from './project.ts';

export interface AnswerOptions {
  /** Undefined never happens once the server is ready. */
  readonly ready: () => LanguageContext | ResponseError | undefined;
  readonly onFault: (error: unknown) => void;
  /** Milliseconds of work, until messages are read again. */
  readonly slice: number;
}

/** Makes the function that answers requests. An error of the work is reported, and is the answer: it never ends the server. */
export function createAnswer(connection: ProtocolConnection, { ready, onFault, slice }: AnswerOptions): Answer {
  return (type, work, needs) => {
    connection.onRequest(type.method, async (parameters: unknown, token: CancellationToken): Promise<unknown> => {
      const context = ready();
      if (context === undefined || context instanceof ResponseError) return context;
      try {
        refuseMalformed(type.method, parameters);
        refuseCancelled(token);
        if (needs !== undefined) await prepare(context, uriIn(parameters), needs, token, slice);
        const result = await work(context, parameters as Parameters<typeof work>[1], token); // as its type of request says
        refuseCancelled(token);
        return result;
      } catch (error) {
        if (error instanceof ResponseError) return error as ResponseError;
        onFault(error);
        return new ResponseError(ErrorCodes.InternalError, `${type.method}: ${(error as Error).message}`);
      }
    });
  };
}

/** Makes what a request needs, while other messages are read. */
async function prepare(
  { workspace }: LanguageContext,
  uri: string | undefined,
  needs: Made,
  token: CancellationToken,
  slice: number,
): Promise<void> {
  const text = uri === undefined ? undefined : workspace.textOf(uri);
  if (uri === undefined || text === undefined) return;
  const refuse = (): void => {
    refuseCancelled(token);
    // The place of the request is one of the text before.
    if (workspace.textOf(uri) !== text)
      throw new ResponseError(LSPErrorCodes.ContentModified, 'the text has changed since');
  };
  const project = workspace.projectOf(text.file.name);
  // Another file of the project may change meanwhile: then its making ends early, and begins again.
  for (let revision = -1; revision !== project.revision();) {
    revision = project.revision();
    await inSlices(project.making(needs, text.file.name), refuse, slice);
    refuse();
  }
}

function refuseCancelled(token: CancellationToken): void {
  if (token.isCancellationRequested)
    throw new ResponseError(LSPErrorCodes.RequestCancelled, 'the editor does not want the answer any longer');
}

/** URI of the text that a request is about, if it is about one. */
function uriIn(parameters: unknown): string | undefined {
  const about = parameters as { readonly textDocument?: { readonly uri?: unknown } } | null | undefined;
  const uri = about?.textDocument?.uri;
  return typeof uri === 'string' ? uri : undefined;
}
