/** The scripts of each project and their expectations as tests of the editor. A run is `schemac test`, a file at a time. */
import { relative } from 'node:path';
import {
  Disposable,
  Position,
  Range,
  RelativePattern,
  TestMessage,
  TestRunProfileKind,
  tests,
  Uri,
  workspace,
  type CancellationToken,
  type ExtensionContext,
  type TestController,
  type TestItem,
  type TestRun,
  type TestRunRequest,
} from 'vscode';
import { failureText, readReport, testsOf, type ScriptVerdict } from './script-tests.ts';
import { folderOf, runTool, testPaths, toolFor } from './tool.ts';

const mostScripts = 5000;

/** The folder of the configuration that a script belongs to. */
const folders = new WeakMap<TestItem, string>();

export function addTestExplorer(context: ExtensionContext): Disposable {
  const controller = tests.createTestController('schemac', 'schemac');
  controller.resolveHandler = async (item) => {
    if (item === undefined) await findScripts(controller);
    else await readScript(controller, item);
  };
  controller.refreshHandler = () => findScripts(controller);
  controller.createRunProfile(
    'Run',
    TestRunProfileKind.Run,
    (request, token) => runTests(context, controller, request, token),
    true,
  );
  const watcher = workspace.createFileSystemWatcher('**/{*.schema,schemac.config.json}');
  const changed = (uri: Uri): void => void seeChange(controller, uri);
  watcher.onDidChange(changed);
  watcher.onDidCreate(changed);
  watcher.onDidDelete(changed);
  return Disposable.from(controller, watcher);
}

async function seeChange(controller: TestController, uri: Uri): Promise<void> {
  const item = controller.items.get(uri.toString());
  if (item === undefined || uri.path.endsWith('.json')) await findScripts(controller);
  else await readScript(controller, item);
}

async function findScripts(controller: TestController): Promise<void> {
  const found = new Map<string, TestItem>();
  for (const configuration of await workspace.findFiles('**/schemac.config.json', '**/node_modules/**')) {
    const folder = folderOf(configuration);
    for (const uri of await scriptsOf(configuration)) {
      const id = uri.toString();
      const item = controller.items.get(id) ?? controller.createTestItem(id, workspace.asRelativePath(uri), uri);
      item.canResolveChildren = true;
      folders.set(item, folder);
      found.set(id, item);
    }
  }
  controller.items.replace([...found.values()]);
  // A script that is opened or changed shows its expectations.
  await Promise.all(
    [...found.values()].filter(({ children }) => children.size > 0).map((item) => readScript(controller, item)),
  );
}

async function scriptsOf(configuration: Uri): Promise<readonly Uri[]> {
  const folder = Uri.file(folderOf(configuration));
  const found = (await testPaths(configuration)).map((path) => {
    const pattern = path.endsWith('.schema') ? path : `${path.replace(/[\\/]$/, '')}/**/*.schema`;
    return workspace.findFiles(
      new RelativePattern(folder, pattern.replace(/^\.\//, '')),
      '**/node_modules/**',
      mostScripts,
    );
  });
  return (await Promise.all(found)).flat();
}

async function readScript(controller: TestController, item: TestItem): Promise<void> {
  const { uri } = item;
  if (uri === undefined) return;
  try {
    const text = new TextDecoder().decode(await workspace.fs.readFile(uri));
    item.children.replace(
      testsOf(text).map(({ line, statement, expectation }) => {
        const child = controller.createTestItem(`${uri.toString()}#${line}`, statement, uri);
        child.description = expectation;
        child.range = new Range(line - 1, 0, line - 1, 0);
        return child;
      }),
    );
    item.error = undefined;
  } catch (error) {
    item.error = (error as Error).message;
  }
}

/** A statement builds on those before it, so the whole script of a test runs, and every test of it is reported. */
async function runTests(
  context: ExtensionContext,
  controller: TestController,
  request: TestRunRequest,
  token: CancellationToken,
): Promise<void> {
  const run = controller.createTestRun(request);
  const excluded = new Set(request.exclude);
  const asked = request.include ?? Array.from(controller.items, ([, item]) => item);
  const scripts = new Set(asked.filter((item) => !excluded.has(item)).map((item) => item.parent ?? item));
  for (const script of scripts) {
    if (token.isCancellationRequested) break;
    await readScript(controller, script);
    const all = [script, ...Array.from(script.children, ([, child]) => child)];
    all.forEach((item) => run.started(item));
    try {
      await runScript(context, script, run, token);
    } catch (error) {
      all.forEach((item) => run.errored(item, new TestMessage((error as Error).message)));
    }
  }
  run.end();
}

async function runScript(
  context: ExtensionContext,
  script: TestItem,
  run: TestRun,
  token: CancellationToken,
): Promise<void> {
  const folder = folders.get(script) ?? '';
  const path = relative(folder, script.uri?.fsPath ?? '');
  const { stdout, stderr } = await runTool(
    context,
    toolFor(context, [folder]),
    ['test', path, '--json'],
    folder,
    token,
  );
  if (token.isCancellationRequested) return;
  const [verdicts] = readReport(stdout)?.values() ?? [];
  if (verdicts === undefined) throw new Error(stderr.trim() || 'schemac test gave no report');
  const failed = verdicts.filter(({ mismatch }) => mismatch !== undefined);
  const byLine = new Map(verdicts.map((verdict) => [verdict.line, verdict]));
  for (const [, child] of script.children) {
    const verdict = byLine.get((child.range?.start.line ?? -1) + 1);
    if (verdict === undefined) run.skipped(child);
    else if (verdict.mismatch === undefined) run.passed(child);
    else run.failed(child, messageOf(verdict, child.uri));
  }
  if (failed.length === 0) run.passed(script);
  else
    run.failed(
      script,
      failed.map((verdict) => messageOf(verdict, script.uri)),
    );
}

function messageOf(verdict: ScriptVerdict, uri: Uri | undefined): TestMessage {
  const { mismatch, line } = verdict;
  const message = new TestMessage(failureText(verdict));
  if (mismatch?.expected !== undefined) message.expectedOutput = mismatch.expected;
  if (mismatch?.got !== undefined) message.actualOutput = mismatch.got;
  if (uri !== undefined) message.location = { uri, range: new Range(new Position(line - 1, 0), new Position(line, 0)) };
  return message;
}
