/**
 * Runs tests, scripts and what-if questions from the editor. Takes a project with its texts as they are open, gives results for programs,
 * and keeps the last ones to be shown in the text. The tool does the work in a process of its own, one run at a time.
 */
import { hasErrors, type SourceFile } from '../../../compiler/index.ts';
import type { JsonValue } from '../../../language/values/json.ts';
import { within } from '../../../runtime/outgoing/within.ts';
import type { Verdict } from '../../expectations/judge-script.ts';
import type { Project } from '../project.ts';
import { outcomeLabels, type OutcomeLabel } from './outcome-label.ts';
import { readExactJson } from '../../../language/values/json-parse.ts';
import { isList, isObject } from '../../../language/values/json.ts';
import { cellOf, inspectRemotely, RunRefusal, type Cell } from '../../remote/inspection.ts';
import { stagedSchema, withStaged } from './staged.ts';
import { countVerdicts, testedLines } from './tested-decisions.ts';
import type { Ended, ToolRunner } from './tool-process.ts';

export interface Runs {
  /** Runs these scripts; of the verdicts only those about the decision, if one is named. */
  readonly test: (project: Project, scripts: readonly SourceFile[], decision?: string) => Promise<TestReport>;
  /** Runs a script from its beginning, on the blocks of the project, in memory. */
  readonly run: (project: Project, script: SourceFile) => Promise<readonly OutcomeLabel[]>;
  /** Decides the rows as commands, without any effect: on the server at the URL, else on that of the project's data directory, else in memory. */
  readonly inspect: (project: Project, decision: string, rows: readonly object[], url?: string) => Promise<Inspected>;
  /** The last result of a decision's tests, and whether the texts have changed since. */
  readonly lastTest: (project: Project, decision: string) => (Counts & { readonly changed: boolean }) | undefined;
  /** The results of the last run of a script, as long as its text is the same. */
  readonly lastRun: (script: SourceFile) => readonly OutcomeLabel[];
  readonly stop: () => void;
}

export interface Counts {
  readonly passed: number;
  readonly failed: number;
}

export interface TestReport extends Counts {
  /** By the name of the script. */
  readonly verdicts: ReadonlyMap<string, readonly Verdict[]>;
}

export interface Inspected {
  /** In words: `in memory`, or the server. */
  readonly where: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

const longestMilliseconds = 120_000;

/** `token` is shown to a server at a URL. */
export function createRuns(tool: ToolRunner, token: () => string | undefined): Runs {
  const tests = new WeakMap<Project, Map<string, Counts & { readonly revision: number }>>();
  const runs = new Map<string, { readonly text: string; readonly labels: readonly OutcomeLabel[] }>();
  const stopping = new AbortController();
  let turn: Promise<unknown> = Promise.resolve();

  /** Behind the runs before it. */
  const inTurn = <T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    const mine = turn.then(() => {
      if (stopping.signal.aborted) throw new RunRefusal('the server ends');
      return within([stopping.signal], longestMilliseconds, work);
    });
    turn = mine.catch(() => undefined);
    return mine;
  };

  const test: Runs['test'] = async (project, scripts, decision) => {
    const { result } = soundProject(project);
    const revision = project.revision();
    const verdicts = new Map<string, readonly Verdict[]>();
    let [passed, failed] = [0, 0];
    for (const script of scripts) {
      const found = await inTurn((signal) => testOne(tool, project, script, signal));
      const lines = decision === undefined ? undefined : testedLines(script, decision, result.catalog);
      verdicts.set(script.name, lines === undefined ? found : found.filter(({ line }) => lines.has(line)));
      const counts = countVerdicts(found, lines);
      passed += counts.passed;
      failed += counts.failed;
    }
    if (decision !== undefined) {
      const known = tests.get(project) ?? new Map<string, Counts & { readonly revision: number }>();
      tests.set(project, known.set(decision.toLowerCase(), { passed, failed, revision }));
    }
    return { passed, failed, verdicts };
  };

  const run: Runs['run'] = async (project, script) => {
    const { sources } = soundProject(project);
    const words = ['run', scriptName, '--schema', stagedSchema, '--json', '--keep-going'];
    const ended = await inTurn((signal) =>
      withStaged(sources, { name: scriptName, text: script.text }, (folder) => tool(words, folder, signal)),
    );
    if (ended.stdout === '' && ended.status !== 0) throw refusalOf(ended);
    const labels = outcomeLabels(ended.stdout);
    runs.delete(script.name);
    runs.set(script.name, { text: script.text, labels });
    for (const oldest of runs.keys()) if (runs.size > mostRuns) runs.delete(oldest);
    return labels;
  };

  const inspect: Runs['inspect'] = async (project, decision, rows, url) => {
    if (url !== undefined) {
      const found = await inTurn((signal) => inspectRemotely({ url, token: token() }, decision, rows, signal));
      return { where: `on ${new URL(url).origin}`, ...found };
    }
    const { sources } = soundProject(project);
    const data = project.data();
    const server = data === undefined ? undefined : await serverOf(data);
    const target = data === undefined || server === undefined ? ['--schema', stagedSchema] : ['--data', data];
    const words = ['inspect', 'DECISION', decision, 'FROM', 'wanted', 'INTO', 'outcome', '--table', 'wanted=rows.json'];
    const ended = await inTurn((signal) =>
      withStaged(sources, { name: 'rows.json', text: JSON.stringify(rows) }, (folder) =>
        tool([...words, ...target, '--json'], folder, signal),
      ),
    );
    return { where: server ?? 'in memory', ...inspectedRows(ended) };
  };

  return {
    test,
    run,
    inspect,
    lastTest: (project, decision) => {
      const found = tests.get(project)?.get(decision.toLowerCase());
      return found === undefined ? undefined : { ...found, changed: found.revision !== project.revision() };
    },
    lastRun: ({ name, text }) => {
      const last = runs.get(name);
      return last?.text === text ? last.labels : [];
    },
    stop: () => stopping.abort(),
  };
}

const scriptName = 'script.schema';

/** Scripts whose results are kept. */
const mostRuns = 50;

function soundProject(project: Project): ReturnType<Project['compiled']> {
  const compiled = project.compiled();
  if (hasErrors(compiled.result.diagnostics))
    throw new RunRefusal('the schema has errors; nothing is run before they are gone');
  return compiled;
}

async function testOne(
  tool: ToolRunner,
  project: Project,
  script: SourceFile,
  signal: AbortSignal,
): Promise<readonly Verdict[]> {
  const { sources } = project.compiled();
  const words = ['test', scriptName, '--schema', stagedSchema, '--json'];
  const staged = { name: scriptName, text: script.text };
  const ended = await withStaged(sources, staged, (folder) => tool(words, folder, signal));
  try {
    const { scripts } = JSON.parse(ended.stdout) as { readonly scripts: readonly { readonly verdicts: Verdict[] }[] };
    return scripts.flatMap(({ verdicts }) => verdicts);
  } catch {
    throw refusalOf(ended);
  }
}

function inspectedRows(ended: Ended): Pick<Inspected, 'columns' | 'rows'> {
  const [, second = ''] = ended.stdout.split('\n');
  if (ended.status !== 0 || second === '') throw refusalOf(ended);
  const said = readExactJson(second);
  const [columns, rows] = isObject(said) ? [said.get('columns'), said.get('rows')] : [];
  if (!isList(columns) || !isList(rows)) throw refusalOf(ended);
  return {
    columns: columns.map(nameOf),
    rows: rows.map((row) => (isList(row) ? row.map(cellOf) : [])),
  };
}

function nameOf(column: JsonValue): string {
  const name = isObject(column) ? column.get('name') : undefined;
  return typeof name === 'string' ? name : '';
}

/** Message of the tool: of an error of a statement, or from stderr. */
function refusalOf({ stdout, stderr, status }: Ended): RunRefusal {
  const said = /"kind":"error".*?"message":("(?:[^"\\]|\\.)*")/.exec(stdout)?.[1];
  const message = said === undefined ? stderr.trim() : (JSON.parse(said) as string);
  return new RunRefusal(message === '' ? `schemac ended with status ${String(status)}` : message);
}

/** The server that runs on a data directory, in words. */
async function serverOf(directory: string): Promise<string | undefined> {
  const { joinServer } = await import('../../../server/session/socket/join-server.ts');
  const session = await joinServer(directory, { lenientPayload: false }).catch(() => undefined);
  if (session === undefined) return undefined;
  await session.close();
  return `on the server (process ${session.process})`;
}
