/**
 * The language in an editor: the Language Server Protocol over two streams (docs/editor.md). Takes the streams, ends with the status of the
 * process. An error in a request is answered, and said on stderr; it never ends the server.
 */
import type { Readable, Writable } from 'node:stream';
import {
  CodeLensRefreshRequest,
  createProtocolConnection,
  DidChangeWatchedFilesNotification,
  ErrorCodes,
  ExitNotification,
  InitializedNotification,
  InitializeRequest,
  InlayHintRefreshRequest,
  MessageType,
  PublishDiagnosticsNotification,
  RegistrationRequest,
  ResponseError,
  ShowMessageNotification,
  ShutdownRequest,
  StreamMessageWriter,
  type InitializeParams,
  type ProtocolConnection,
} from 'vscode-languageserver-protocol/node';
import { watchDisk, type DiskWatch } from './disk-watch.ts';
import { createAnswer } from './answer.ts';
import { createAnswerAt, type Feature, type LanguageContext } from './feature.ts';
import { features } from './features.ts';
import { createMessageReader, longestMessage } from './message-reader.ts';
import { followDocuments } from './follow-documents.ts';
import { createRuns } from './runs/runs.ts';
import type { ToolRunner } from './runs/tool-process.ts';
import { createPublisher, usualPauses, type Pauses } from './publisher.ts';
import { createWorkspace } from './workspace.ts';

export interface LanguageStreams {
  readonly input: Readable;
  readonly output: Writable;
  /** Where faults are said; never `output`, which carries the protocol. */
  readonly say: (line: string) => void;
  readonly version: string;
  readonly pauses?: Pauses;
  /** Runs commands of the tool for the editor. */
  readonly tool: ToolRunner;
  /** The token for servers that are reached by a URL. */
  readonly token: () => string | undefined;
  /** The process of the editor, if it is named by an option. */
  readonly client?: number;
}

/** Serves until the editor says `exit`, its process is gone or the stream ends. Gives 0 after a `shutdown`, else 1. */
export function serveLanguage(streams: LanguageStreams): Promise<0 | 1> {
  const { input, output, say, version } = streams;
  return new Promise((resolve) => {
    const workspace = createWorkspace();
    const show = (type: MessageType, message: string): void =>
      void connection.sendNotification(ShowMessageNotification.type, { type, message }).catch(onFault);
    const reader = createMessageReader(input, (bytes) => {
      const refusal = `a message of ${bytes} bytes is skipped, because it has more than ${longestMessage}; open the text again that it was about`;
      say(`schemac lsp: ${refusal}`);
      if (state === 'ready') show(MessageType.Error, `schemac: ${refusal}`);
    });
    const connection = createProtocolConnection(reader, new StreamMessageWriter(output), {
      error: say,
      warn: () => undefined,
      info: () => undefined,
      log: () => undefined,
    });
    const onFault = (error: unknown): void =>
      say(`schemac lsp: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    const publisher = createPublisher(
      workspace,
      (parameters) => void connection.sendNotification(PublishDiagnosticsNotification.type, parameters).catch(onFault),
      onFault,
      streams.pauses ?? usualPauses,
    );
    let state: 'new' | 'ready' | 'shut down' | 'ended' = 'new';
    let watch: DiskWatch | undefined;
    let presence: NodeJS.Timeout | undefined;
    let context: LanguageContext | undefined;

    const runs = createRuns(streams.tool, streams.token);
    const end = (): void => {
      if (state === 'ended') return;
      const status = state === 'shut down' ? 0 : 1;
      state = 'ended';
      publisher.stop();
      runs.stop();
      clearInterval(presence);
      void watch?.close();
      connection.dispose();
      resolve(status);
    };
    const refuse = (): ResponseError | undefined => {
      if (state === 'ready') return undefined;
      return state === 'new'
        ? new ResponseError(ErrorCodes.ServerNotInitialized, 'the server is not initialized')
        : new ResponseError(ErrorCodes.InvalidRequest, 'the server is shut down');
    };
    const notified = (work: () => void): void => {
      if (state !== 'ready') return;
      try {
        work();
      } catch (error) {
        onFault(error);
      }
    };
    const diskChanged = (paths: readonly string[]): void => {
      workspace.diskChanged(paths);
      publisher.refresh();
    };

    connection.onRequest(InitializeRequest.type, (parameters) => {
      if (state !== 'new') return new ResponseError(ErrorCodes.InvalidRequest, 'the server is initialized already');
      state = 'ready';
      const { capabilities } = parameters;
      const trusted = isTrusted(parameters.initializationOptions);
      context = {
        workspace,
        client: capabilities,
        say: onFault,
        runs: trusted ? runs : undefined,
        show,
        refresh: () => void refresh(connection, capabilities).catch(onFault),
      };
      presence = watchProcess(parameters.processId ?? streams.client, end);
      return {
        capabilities: Object.assign({}, ...features.map(({ capabilities }) => capabilities)) as Feature['capabilities'],
        serverInfo: { name: 'schemac', version },
      };
    });
    connection.onNotification(InitializedNotification.type, () =>
      notified(() => {
        if (canWatch(context?.client)) void registerWatch(connection).catch(onFault);
        else watch = watchDisk(diskChanged, onFault, publisher.begun);
      }),
    );
    connection.onRequest(ShutdownRequest.type, () => {
      if (state !== 'ready') return refuse();
      state = 'shut down';
      publisher.stop();
      return undefined;
    });
    // Answers to earlier messages are still written.
    connection.onNotification(ExitNotification.type, () => void setImmediate(end));
    // Messages that were read before are still answered.
    const endSoon = (): void => void setTimeout(end, lastAnswersMilliseconds);
    input.once('end', endSoon);
    input.once('close', endSoon);
    output.on('error', end);
    // Text that cannot be read is left out; the next header begins a message again.
    connection.onError(([error]) => say(`schemac lsp: a message cannot be read: ${error.message}`));

    followDocuments(connection, { workspace, publisher, notified, diskChanged, opened: (path) => watch?.add(path) });
    const answer = createAnswer(connection, {
      ready: () => refuse() ?? context,
      onFault,
      slice: (streams.pauses ?? usualPauses).slice,
    });
    for (const { register } of features) register(answer, createAnswerAt(answer));
    connection.listen();
  });
}

/** Editors without a notion of trust say nothing. */
function isTrusted(options: unknown): boolean {
  return !(typeof options === 'object' && options !== null && 'trusted' in options && options.trusted === false);
}

/** Has the editor ask again, where it can. */
async function refresh(connection: ProtocolConnection, { workspace }: InitializeParams['capabilities']): Promise<void> {
  if (workspace?.codeLens?.refreshSupport === true) await connection.sendRequest(CodeLensRefreshRequest.type);
  if (workspace?.inlayHint?.refreshSupport === true) await connection.sendRequest(InlayHintRefreshRequest.type);
}

function canWatch(client: InitializeParams['capabilities'] | undefined): boolean {
  return client?.workspace?.didChangeWatchedFiles?.dynamicRegistration === true;
}

function registerWatch(connection: ProtocolConnection): Promise<void> {
  const watchers = ['**/*.schema', '**/schemac.config.json'].map((globPattern) => ({ globPattern }));
  const registerOptions = { watchers };
  return connection.sendRequest(RegistrationRequest.type, {
    registrations: [{ id: 'schemac.files', method: DidChangeWatchedFilesNotification.method, registerOptions }],
  });
}

const lastAnswersMilliseconds = 50;

/** An editor that was killed closes nothing on some systems. */
const presenceMilliseconds = 3000;

function watchProcess(pid: number | null | undefined, gone: () => void): NodeJS.Timeout | undefined {
  if (pid === undefined || pid === null) return undefined;
  const timer = setInterval(() => {
    try {
      process.kill(pid, 0);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ESRCH') gone();
    }
  }, presenceMilliseconds);
  return timer.unref();
}
