/** The tool as a process of its own, run by the Node of the editor, so that none need be installed. */
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { Uri, workspace, type CancellationToken, type ExtensionContext } from 'vscode';
import { outputOf, type Ended } from '../../../cli/lsp/runs/process-output.ts';
import { findTool } from './find-tool.ts';

/** The folders of all configurations, and those that are open. */
export async function projectFolders(): Promise<readonly string[]> {
  const configurations = await workspace.findFiles('**/schemac.config.json', '**/node_modules/**', mostProjects);
  const open = workspace.workspaceFolders?.map(({ uri }) => uri.fsPath) ?? [];
  return [...configurations.map(({ fsPath }) => dirname(fsPath)).sort(), ...open];
}

const mostProjects = 100;

export function toolFor(context: ExtensionContext, folders: readonly string[]): string {
  return findTool({
    folders,
    trusted: workspace.isTrusted,
    named: workspace.getConfiguration('schemac').get('path', ''),
    own: Uri.joinPath(context.extensionUri, 'tool', 'cli', 'main.js').fsPath,
  });
}

/** The environment in which the editor's own program is Node, which keeps what it has compiled in the extension's folder of this user. */
export function nodeEnvironment({ globalStorageUri }: ExtensionContext): NodeJS.ProcessEnv {
  const cache = Uri.joinPath(globalStorageUri, 'compiled').fsPath;
  return { NODE_COMPILE_CACHE: cache, ...process.env, ELECTRON_RUN_AS_NODE: '1' };
}

/** Runs a command to its end. Ends the process when the user cancels. */
export function runTool(
  context: ExtensionContext,
  main: string,
  words: readonly string[],
  folder: string,
  token: CancellationToken,
): Promise<Ended> {
  const child = spawn(process.execPath, [main, ...words], { cwd: folder, env: nodeEnvironment(context) });
  const cancel = token.onCancellationRequested(() => child.kill());
  child.stdin.end();
  return outputOf(child, words).finally(() => void cancel.dispose());
}

/** Where a configuration lets `schemac test` find its scripts, relative to its folder. */
export async function testPaths(configuration: Uri): Promise<readonly string[]> {
  try {
    const text = new TextDecoder().decode(await workspace.fs.readFile(configuration));
    const { tests } = JSON.parse(text) as { readonly tests?: unknown };
    return Array.isArray(tests) ? tests.filter((path) => typeof path === 'string') : [];
  } catch {
    return []; // the language server shows why it cannot be read
  }
}

export function folderOf(configuration: Uri): string {
  return join(configuration.fsPath, '..');
}
