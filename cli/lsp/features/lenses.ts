import { CodeLensRequest, type CodeLens, type Command } from 'vscode-languageserver-protocol/node';
import { sampleRow } from '../../../compiler/editor/actions/decision-test.ts';
import { decisionsIn, lensesOf } from '../../../compiler/editor/hints.ts';
import type { Feature, LanguageContext, Place } from '../feature.ts';
import { rangeOf } from '../positions.ts';
import { testedLines } from '../runs/tested-decisions.ts';
import { scriptsThatTest } from './running.ts';

/** Lines above a block: its connections, and the commands that run it. */
export const lenses: Feature = {
  capabilities: { codeLensProvider: {} },
  register: (_, at) => {
    at(
      CodeLensRequest.type,
      (place, _, context) => {
        const { file, project } = place;
        const said = lensesOf(file, project.known(), project.namesIn(file.name)).map(({ start, end, label }) => ({
          range: rangeOf({ file, start, end }),
          command: { title: label, command: '' }, // an editor runs nothing for an empty command
        }));
        return [...said, ...(context.runs === undefined ? [] : runLenses(context, place))];
      },
      'names',
    );
  },
};

function runLenses(context: LanguageContext, place: Place): readonly CodeLens[] {
  const { uri, file, project } = place;
  if (project.scripts().some(({ name }) => name === file.name)) {
    const range = rangeOf({ file, start: 0, end: 0 });
    return [
      { range, command: { title: 'run', command: 'schemac.run', arguments: [{ uri }] } },
      { range, command: { title: 'test', command: 'schemac.test', arguments: [{ uri }] } },
    ];
  }
  return decisionsIn(file).flatMap(({ name, start, end }): CodeLens[] => {
    const range = rangeOf({ file, start, end });
    const inspect = {
      title: 'what if',
      command: 'schemac.inspect',
      arguments: [{ uri, decision: name, sample: sampleRow(name, project.known()) }],
    };
    const commands = project.tests().length === 0 ? [inspect] : [testLens(context, place, name), inspect];
    return commands.map((command) => ({ range, command }));
  });
}

function testLens({ runs }: LanguageContext, { uri, project }: Place, decision: string): Command {
  const catalog = project.known();
  const scripts = scriptsThatTest(project, decision, catalog);
  const count = scripts.reduce((sum, script) => sum + testedLines(script, decision, catalog).count, 0);
  if (count === 0) return { title: 'no tests', command: '' };
  const last = runs?.lastTest(project, decision);
  const result =
    last === undefined
      ? ''
      : ` · ${last.failed === 0 ? `✓ ${last.passed} passed` : `✗ ${last.failed} of ${last.passed + last.failed} failed`}${last.changed ? ' before the last change' : ''}`;
  return {
    title: `run ${count === 1 ? '1 test' : `${count} tests`}${result}`,
    command: 'schemac.test',
    arguments: [{ uri, decision }],
  };
}
