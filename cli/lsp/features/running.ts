import { ExecuteCommandRequest, LSPErrorCodes, MessageType, ResponseError } from 'vscode-languageserver-protocol/node';
import { sampleRow } from '../../../compiler/editor/actions/decision-test.ts';
import type { Catalog, SourceFile } from '../../../compiler/index.ts';
import type { Feature, LanguageContext } from '../feature.ts';
import type { Project } from '../project.ts';
import { RunRefusal } from '../../remote/inspection.ts';
import type { Inspected, Runs } from '../runs/runs.ts';
import { testedLines } from '../runs/tested-decisions.ts';

/** The commands, with one object as their argument (docs/editor.md#commands). */
export const runCommands = ['schemac.test', 'schemac.run', 'schemac.inspect'] as const;

interface Target {
  readonly context: LanguageContext;
  readonly runs: Runs;
  readonly project: Project;
  readonly file: SourceFile;
  readonly given: Readonly<Record<string, unknown>>;
}

export const running: Feature = {
  capabilities: { executeCommandProvider: { commands: [...runCommands] } },
  register: (answer) => {
    answer(ExecuteCommandRequest.type, async (context, { command, arguments: given = [] }) => {
      const target = targetOf(context, given[0]);
      try {
        switch (command) {
          case 'schemac.test':
            return await test(target);
          case 'schemac.run':
            return await run(target);
          case 'schemac.inspect':
            return await inspect(target);
          default:
            throw new RunRefusal(`there is no command '${command}'; there is ${runCommands.join(', ')}`);
        }
      } catch (error) {
        if (error instanceof RunRefusal) throw refused(error.message);
        throw error;
      } finally {
        context.refresh();
      }
    });
  },
};

function refused(message: string): ResponseError {
  return new ResponseError(LSPErrorCodes.RequestFailed, message);
}

function targetOf(context: LanguageContext, argument: unknown): Target {
  const { runs, workspace } = context;
  if (runs === undefined) throw refused('the folder is not trusted, so nothing of it is run');
  const given = (typeof argument === 'object' && argument !== null ? argument : {}) as Record<string, unknown>;
  const { uri } = given;
  const text = typeof uri === 'string' ? workspace.textOf(uri) : undefined;
  if (text === undefined) throw refused('the argument takes "uri", the URI of a text that is open');
  return { context, runs, project: workspace.projectOf(text.file.name), file: text.file, given };
}

/** The name of a decision in its written form. */
function decisionOf({ given, project }: Target): string | undefined {
  const { decision } = given;
  if (decision === undefined) return undefined;
  const known = project.known().blocks.decision.map(({ name }) => name);
  const found = known.find((name) => typeof decision === 'string' && name.toLowerCase() === decision.toLowerCase());
  if (found === undefined) throw refused(`there is no decision ${JSON.stringify(decision)}`);
  return found;
}

async function test(target: Target): Promise<object> {
  const { context, runs, project, file } = target;
  const decision = decisionOf(target);
  const scripts = decision === undefined ? [file] : scriptsThatTest(project, decision, project.known());
  const report = await runs.test(project, scripts, decision);
  const { passed, failed } = report;
  const found = Array.from(report.verdicts, ([name, verdicts]) => ({ uri: context.workspace.uriOf(name), verdicts }));
  const [first] = found.flatMap(({ uri, verdicts }) =>
    verdicts.flatMap(({ line, mismatch }) =>
      mismatch === undefined ? [] : [`${uri.slice(uri.lastIndexOf('/') + 1)}:${line}: ${mismatch.problem}`],
    ),
  );
  const what = decision ?? file.name.slice(file.name.lastIndexOf('/') + 1);
  if (first === undefined) context.show(MessageType.Info, `${what}: ${passed} passed`);
  else context.show(MessageType.Warning, `${what}: ${failed} of ${passed + failed} failed; ${first}`);
  return { passed, failed, scripts: found };
}

export function scriptsThatTest(project: Project, decision: string, catalog: Catalog): readonly SourceFile[] {
  return project.scripts().filter((script) => testedLines(script, decision, catalog).count > 0);
}

async function run({ runs, project, file }: Target): Promise<object> {
  return { results: await runs.run(project, file) };
}

async function inspect(target: Target): Promise<object> {
  const { context, runs, project, given } = target;
  const decision = decisionOf(target);
  if (decision === undefined) throw refused('the argument takes "decision", the name of a decision');
  const rows = given['rows'] ?? [sampleRow(decision, project.known())];
  if (!isRows(rows)) throw refused('"rows" takes a list of objects, each with the fields of the command');
  const { url } = given;
  if (url !== undefined && typeof url !== 'string') throw refused('"url" takes the URL of a server');
  const found = await runs.inspect(project, decision, rows, url);
  context.show(MessageType.Info, `${decision}, ${found.where}: ${summaryOf(found)}`);
  return found;
}

/** More are for the command line. */
const mostRows = 1000;

function isRows(rows: unknown): rows is readonly object[] {
  return (
    Array.isArray(rows) &&
    rows.length <= mostRows &&
    rows.every((row) => typeof row === 'object' && row !== null && !Array.isArray(row))
  );
}

function summaryOf({ columns, rows }: Inspected): string {
  const column = (name: string): number => columns.indexOf(name);
  const shown = rows.slice(0, 5).map((row) => {
    const rejection = row[column('rejection')];
    if (rejection !== null && rejection !== undefined) return `rejected ${textOf(rejection)}`;
    return `emits ${textOf(row[column('event_type')])} ${textOf(row[column('data')])}`;
  });
  return shown.length === 0 ? 'no events' : shown.join('; ') + (rows.length > shown.length ? '; …' : '');
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
