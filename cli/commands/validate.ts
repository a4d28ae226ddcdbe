import type { PlacedFinding } from '../../compiler/index.ts';
import { applicationsOf } from '../../language/diagnostics/diagnose.ts';
import { hasErrors } from '../../language/diagnostics/has-errors.ts';
import type { StatementOutcome } from '../../server/session/outcome.ts';
import { compilePaths, schemaPaths } from '../compile-paths.ts';
import type { Run } from '../declaration.ts';
import type { ExitStatus } from '../exit-fault.ts';
import { loadSchema } from '../load-schema.ts';
import { isInMemory, withSession } from '../open-session.ts';
import { showOutcome } from '../output/show-outcome.ts';
import { reportDiagnostic, reportDiagnostics } from '../report.ts';
import { runStatements } from '../run-statements.ts';
import { resolveSettings } from '../settings/settings.ts';
import type { Shell } from '../shell.ts';

const statement = { name: 'command line', text: 'VALIDATE REGISTRY' };

/** `schemac validate [paths…]`: findings at their places in the files, in the form of `check`. Ends with 1 if a finding is an error. */
export const runValidate: Run = async (shell, words, flags) => {
  const settings = resolveSettings(shell, flags);
  const asJson = flags['json'] === true;
  if (isInMemory(settings)) {
    const { registry, diagnostics } = await compilePaths(shell, schemaPaths(words, settings));
    await reportDiagnostics(shell, diagnostics);
    if (hasErrors(diagnostics)) return 1;
    const { placeFindings } = await import('../../compiler/index.ts');
    const findings = placeFindings(registry);
    if (asJson) await showTable(shell, findings);
    else await showFindings(shell, findings);
    return findings.some(({ severity }) => severity === 'error') ? 1 : 0;
  }
  return withSession(
    shell,
    settings,
    async (session): Promise<ExitStatus> => {
      if (!(await loadSchema(shell, session, words))) return 1;
      let status: ExitStatus = 0;
      for await (const outcome of runStatements(shell, session.run, statement)) {
        await showOutcome(shell, withoutPlaces(outcome), asJson);
        if (outcome.kind === 'error' || hasErrorRow(outcome)) status = 1;
      }
      return status;
    },
    { seldomReads: true },
  );
};

/** The line of `--json`, as the statement gives it. */
async function showTable(shell: Shell, findings: readonly PlacedFinding[]): Promise<void> {
  const { findingsTable } = await import('../../server/operation/describe/describe.ts');
  const span = { file: statement, start: 0, end: statement.text.length };
  await showOutcome(shell, { kind: 'validate', table: findingsTable(findings), span, warnings: [] }, true);
}

async function showFindings(shell: Shell, findings: readonly PlacedFinding[]): Promise<void> {
  for (const { severity, code, message, span } of findings) {
    if (span === undefined) shell.output.write(`${severity}[${code}]: ${message}\n`);
    else await reportDiagnostic(shell.output, { severity, code, message, span, related: applicationsOf(span) });
  }
  if (findings.length === 0) shell.output.write('no findings\n');
}

/** The session has the files in the canonical text in which they were loaded, whose lines are in no file. */
function withoutPlaces(outcome: StatementOutcome): StatementOutcome {
  if (outcome.kind !== 'validate') return outcome;
  const rows = outcome.table.rows.map((row) => [...row.slice(0, 4), null, null, null]);
  return { ...outcome, table: { ...outcome.table, rows } };
}

/** The first column of the findings is the severity. */
function hasErrorRow(outcome: StatementOutcome): boolean {
  return outcome.kind === 'validate' && outcome.table.rows.some(([severity]) => severity === 'error');
}
