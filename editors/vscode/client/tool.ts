/** The tool as a process of its own, run by the Node of the editor, so that none need be installed. */
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { Uri, workspace, type CancellationToken, type ExtensionContext } from 'vscode';
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

export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const mostOutput = 64 * 1024 * 1024;

/** Runs a command to its end. Ends the process when the user cancels, or when it writes more than an editor can show. */
export function runTool(
  context: ExtensionContext,
  main: string,
  words: readonly string[],
  folder: string,
  token: CancellationToken,
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [main, ...words], { cwd: folder, env: nodeEnvironment(context) });
    const cancel = token.onCancellationRequested(() => child.kill());
    const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
    let size = 0;
    const keep = (to: Buffer[]) => (bytes: Buffer) => {
      to.push(bytes);
      size += bytes.length;
      if (size > mostOutput) child.kill();
    };
    child.stdout.on('data', keep(stdout));
    child.stderr.on('data', keep(stderr));
    child.once('error', (error) => {
      cancel.dispose();
      reject(error);
    });
    child.once('close', (status) => {
      cancel.dispose();
      resolve({ status, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() });
    });
  });
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
