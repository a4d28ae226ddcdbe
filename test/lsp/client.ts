/** A client of the language server for tests: in this process over two streams, or with the tool as a process of its own. */
import { PassThrough } from 'node:stream';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import {
  createProtocolConnection,
  DidChangeTextDocumentNotification,
  DidCloseTextDocumentNotification,
  DidOpenTextDocumentNotification,
  DidSaveTextDocumentNotification,
  ExitNotification,
  FoldingRangeRequest,
  InitializedNotification,
  InitializeRequest,
  PublishDiagnosticsNotification,
  ShutdownRequest,
  StreamMessageReader,
  StreamMessageWriter,
  type ClientCapabilities,
  type Diagnostic,
  type InitializeResult,
  type Position,
  type ProtocolConnection,
  type PublishDiagnosticsParams,
} from 'vscode-languageserver-protocol/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Pauses } from '../../cli/lsp/publisher.ts';
import { serveLanguage } from '../../cli/lsp/serve-language.ts';
import { startTool } from '../kit/tool.ts';
import { runToolHere } from '../kit/tool-here.ts';

export interface Client {
  readonly connection: ProtocolConnection;
  readonly initialized: InitializeResult;
  readonly open: (uri: string, text: string) => void;
  /** Replaces the range of offsets, as an editor does. */
  readonly edit: (uri: string, start: number, end: number, text: string) => void;
  readonly close: (uri: string) => void;
  readonly textOf: (uri: string) => string;
  readonly positionOf: (uri: string, offset: number) => Position;
  readonly offsetOf: (uri: string, position: Position) => number;
  /** The diagnostics of a text after a save, which waits for no pause. */
  readonly settled: (uri: string) => Promise<readonly Diagnostic[]>;
  /** Waits until it holds of what was published. */
  readonly until: (holds: () => boolean) => Promise<void>;
  /** Every set that was sent, in order. */
  readonly published: readonly PublishDiagnosticsParams[];
  /** Says `shutdown` and `exit`; gives the status of the server. */
  readonly stop: () => Promise<number | null>;
  /** Output of the server outside the protocol. */
  readonly said: () => string;
}

const usual: ClientCapabilities = {
  textDocument: {
    completion: { completionItem: { snippetSupport: true, documentationFormat: ['markdown'] } },
    codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: [] } } },
    documentSymbol: { hierarchicalDocumentSymbolSupport: true },
  },
  workspace: {
    workspaceEdit: { documentChanges: true, resourceOperations: ['create'], changeAnnotationSupport: {} },
    didChangeWatchedFiles: { dynamicRegistration: true },
  },
};

export interface ClientOptions {
  readonly capabilities?: ClientCapabilities;
  /** Starts the tool instead of serving in this process; by default what `SCHEMAC_LSP_PROCESS=1` says (`npm run test:editor`). */
  readonly process?: boolean;
  /** Sent as it is. */
  readonly initialization?: object;
  /** By default all work is done before the next message is read. */
  readonly pauses?: Pauses;
}

export async function openClient(options: ClientOptions = {}): Promise<Client> {
  const { pauses = { soon: 1, pause: 10, slice: Infinity } } = options;
  const isProcess = options.process ?? (process.env['SCHEMAC_LSP_PROCESS'] === '1' && options.pauses === undefined);
  let said = '';
  const served = isProcess ? overProcess((text) => (said += text)) : inProcess((text) => (said += text), pauses);
  const connection = createProtocolConnection(
    new StreamMessageReader(served.output),
    new StreamMessageWriter(served.input),
  );
  const documents = new Map<string, TextDocument>();
  /** The version that a text had last, also when it was closed since. */
  const versions = new Map<string, number>();
  const published: PublishDiagnosticsParams[] = [];
  let seen = (): void => undefined;
  const until: Client['until'] = async (holds) => {
    while (!holds()) await new Promise<void>((resolve) => (seen = resolve));
  };
  connection.onNotification(PublishDiagnosticsNotification.type, (parameters) => {
    published.push(parameters);
    seen();
  });
  connection.onRequest('client/registerCapability', () => null);
  connection.listen();
  const initialized = await connection.sendRequest<InitializeResult>(InitializeRequest.method, {
    processId: process.pid,
    rootUri: null,
    capabilities: options.capabilities ?? usual,
    initializationOptions: options.initialization,
  });
  await connection.sendNotification(InitializedNotification.type, {});
  const documentOf = (uri: string): TextDocument => {
    const document = documents.get(uri);
    if (document === undefined) throw new Error(`${uri} is not open`);
    return document;
  };
  const tell = (sent: Promise<void>): void => {
    sent.catch(() => undefined); // a server that is gone shows in the next request
  };
  return {
    connection,
    initialized,
    published,
    until,
    open: (uri, text) => {
      const version = (versions.get(uri) ?? 0) + 1;
      versions.set(uri, version);
      documents.set(uri, TextDocument.create(uri, 'schemac', version, text));
      tell(
        connection.sendNotification(DidOpenTextDocumentNotification.type, {
          textDocument: { uri, languageId: 'schemac', version, text },
        }),
      );
    },
    edit: (uri, start, end, text) => {
      const document = documentOf(uri);
      const range = { start: document.positionAt(start), end: document.positionAt(end) };
      const version = document.version + 1;
      versions.set(uri, version);
      documents.set(uri, TextDocument.update(document, [{ range, text }], version));
      tell(
        connection.sendNotification(DidChangeTextDocumentNotification.type, {
          textDocument: { uri, version },
          contentChanges: [{ range, text }],
        }),
      );
    },
    close: (uri) => {
      documents.delete(uri);
      tell(connection.sendNotification(DidCloseTextDocumentNotification.type, { textDocument: { uri } }));
    },
    textOf: (uri) => documentOf(uri).getText(),
    positionOf: (uri, offset) => documentOf(uri).positionAt(offset),
    offsetOf: (uri, position) => documentOf(uri).offsetAt(position),
    settled: async (uri) => {
      const { version } = documentOf(uri);
      const sentAfter = (count: number) => (): boolean =>
        published.findLastIndex((each) => each.uri === uri && each.version === version) >= count;
      // Findings that come soon after a change need not be all; those after a save are.
      if (isProcess) await until(sentAfter(0));
      const before = isProcess ? published.length : 0;
      tell(connection.sendNotification(DidSaveTextDocumentNotification.type, { textDocument: { uri } }));
      if (isProcess) await until(sentAfter(before));
      // Findings that a save publishes are written before this answer, if all work is done at once.
      await connection.sendRequest(FoldingRangeRequest.type, { textDocument: { uri } });
      await until(sentAfter(before));
      return published.findLast((each) => each.uri === uri)?.diagnostics ?? [];
    },
    stop: async () => {
      await connection.sendRequest(ShutdownRequest.type);
      tell(connection.sendNotification(ExitNotification.type));
      const status = await served.ended;
      connection.dispose();
      return status;
    },
    said: () => said,
  };
}

interface Served {
  readonly input: NodeJS.WritableStream;
  readonly output: NodeJS.ReadableStream;
  readonly ended: Promise<number | null>;
}

function inProcess(say: (text: string) => void, pauses: NonNullable<ClientOptions['pauses']>): Served {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const ended = serveLanguage({
    input,
    output,
    say: (line) => say(`${line}\n`),
    version: 'test',
    pauses,
    tool: (words, cwd) => runToolHere(words, { cwd }),
    token: () => undefined,
  });
  return { input, output, ended };
}

function overProcess(say: (text: string) => void): Served {
  const child: ChildProcessWithoutNullStreams = startTool(['lsp', '--stdio', `--clientProcessId=${process.pid}`]);
  child.stderr.setEncoding('utf8').on('data', say);
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return { input: child.stdin, output: child.stdout, ended };
}
