import { outcomeJson } from '../../server/session/outcome-json.ts';
import type { StatementOutcome } from '../../server/session/outcome.ts';
import type { Shell } from '../shell.ts';
import { renderOutcome } from './outcome-text.ts';
import { reportProblems } from './problem-report.ts';

/** Shows the result of a statement: a JSON line on stdout, or text there and problems on stderr. */
export async function showOutcome(
  shell: Shell,
  outcome: StatementOutcome,
  asJson: boolean,
  expanded = false,
): Promise<void> {
  const { output } = shell;
  if (asJson) {
    output.write(`${outcomeJson(outcome)}\n`);
    return;
  }
  await reportProblems(shell.messages, outcome);
  output.write(
    renderOutcome(outcome, { width: output.width(), expanded, colour: output.colour, terminal: output.terminal }),
  );
}
