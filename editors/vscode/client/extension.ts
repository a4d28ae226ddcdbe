/** The extension of VS Code: the language server, tests, tasks. Everything that it shows of the language comes from `schemac lsp`. */
import { commands, env, Uri, window, workspace, type ExtensionContext } from 'vscode';
import { LanguageClient } from 'vscode-languageclient/node';
import { addTasks } from './tasks.ts';
import { addTestExplorer } from './test-explorer.ts';
import { nodeEnvironment, projectFolders, toolFor } from './tool.ts';

const mostRestarts = 5;

export async function activate(context: ExtensionContext): Promise<void> {
  let client = await startClient(context);
  const restart = async (): Promise<void> => {
    await client.dispose();
    client = await startClient(context);
  };
  let explorer = workspace.isTrusted ? addTestExplorer(context) : undefined;
  context.subscriptions.push(
    { dispose: () => void client.dispose() },
    { dispose: () => void explorer?.dispose() },
    addTasks(context),
    commands.registerCommand('schemac.restart', restart),
    commands.registerCommand('schemac.openServer', openServer),
    workspace.onDidGrantWorkspaceTrust(async () => {
      explorer ??= addTestExplorer(context);
      await restart();
    }),
    workspace.onDidChangeConfiguration(async (change) => {
      if (change.affectsConfiguration('schemac.path')) await restart();
    }),
  );
}

async function startClient(context: ExtensionContext): Promise<LanguageClient> {
  const main = toolFor(context, await projectFolders());
  const client = new LanguageClient(
    'schemac',
    'schemac',
    { command: process.execPath, args: [main, 'lsp', '--stdio'], options: { env: nodeEnvironment(context) } },
    {
      documentSelector: [
        { language: 'schemac', scheme: 'file' },
        { language: 'schemac', scheme: 'untitled' },
      ],
      connectionOptions: { maxRestartCount: mostRestarts },
      initializationOptions: { trusted: workspace.isTrusted },
      middleware: { executeCommand: (command, given, next) => askForRow(command, given as unknown[], next) },
    },
  );
  client.outputChannel.appendLine(`The language server is ${main}`);
  await client.start();
  return client;
}

/** A what-if from the lens asks for the fields of the command; the server shows the result. It is that of `schemac.url`, if the user has set it. */
async function askForRow(
  command: string,
  given: unknown[],
  next: (command: string, given: unknown[]) => unknown,
): Promise<unknown> {
  const [argument] = given;
  if (command !== 'schemac.inspect' || typeof argument !== 'object' || argument === null || 'rows' in argument)
    return next(command, given);
  const sample = 'sample' in argument ? argument.sample : {};
  const typed = await window.showInputBox({
    title: 'What if this command came now?',
    prompt: 'The fields of the command, as JSON',
    value: JSON.stringify(sample),
    validateInput: (text) =>
      readObject(text) === undefined ? 'a JSON object with the fields of the command' : undefined,
  });
  const row = typed === undefined ? undefined : readObject(typed);
  if (row === undefined) return undefined;
  const url = serverToAsk('uri' in argument ? argument.uri : undefined);
  return next(command, [{ ...argument, rows: [row], ...(url === undefined ? {} : { url }) }]);
}

/** Undefined with the setting's default: then a server is found by the data directory of the project. */
function serverToAsk(uri: unknown): string | undefined {
  const scope = typeof uri === 'string' ? Uri.parse(uri) : undefined;
  const set = workspace.getConfiguration('schemac', scope).inspect<string>('url');
  const url = set?.workspaceFolderValue ?? set?.workspaceValue ?? set?.globalValue;
  return url === '' ? undefined : url;
}

function readObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined; // not finished yet
  }
}

async function openServer(): Promise<void> {
  const url = workspace.getConfiguration('schemac').get('url', '');
  if (!/^https?:\/\//.test(url)) {
    await window.showErrorMessage(`schemac.url must begin with http:// or https://, not '${url}'`);
    return;
  }
  await env.openExternal(Uri.parse(url, true));
}
