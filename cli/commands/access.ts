import { callerValues, type CallerIdentity } from '../../language/contract/caller.ts';
import { hasErrors } from '../../language/diagnostics/has-errors.ts';
import { nearestNames, suggestion } from '../../language/diagnostics/suggestion.ts';
import { visibleText } from '../../language/diagnostics/render/visible.ts';
import type { Catalog } from '../../compiler/index.ts';
import type { Table } from '../../runtime/engine/outcome.ts';
import { grantsOf, type AuthPolicy } from '../../server/http/auth/policy.ts';
import { anyone, stranger, type Caller } from '../../server/operation/caller.ts';
import { callerAs } from '../../server/start/settings/caller-as.ts';
import { authPolicy } from '../../server/start/settings/server-settings.ts';
import { expectedText } from '../compare/expected-text.ts';
import { matrixDifferences } from '../compare/matrix-differences.ts';
import { compilePaths, schemaPaths } from '../compile-paths.ts';
import type { Run } from '../declaration.ts';
import { inputFault, usageFault } from '../exit-fault.ts';
import { writeJsonLine } from '../shell.ts';
import { showOutcome } from '../output/show-outcome.ts';
import { renderTable } from '../output/table.ts';
import { reportDiagnostics } from '../report.ts';
import { resolveSettings, type Flags } from '../settings/settings.ts';
import type { Shell } from '../shell.ts';

const statement = { name: 'command line', text: 'EXPLAIN ACCESS' };

/**
 * `schemac access [paths…]`: what a caller may do under the files and the policy of the configuration, or every role with `--matrix`. Ends with 1 if
 * the matrix differs from the one of `--expect`.
 */
export const runAccess: Run = async (shell, words, flags) => {
  const settings = resolveSettings(shell, flags);
  const expected = expectedText(shell, flags);
  const isMatrix = flags['matrix'] === true || expected !== undefined;
  refuseTogether(flags, isMatrix, expected !== undefined);
  const policy = authPolicy(settings.config);
  const { catalog, diagnostics } = await compilePaths(shell, schemaPaths(words, settings));
  await reportDiagnostics(shell, diagnostics);
  if (hasErrors(diagnostics)) return 1;
  if (!isMatrix) {
    const { accessTable } = await import('../../server/operation/access/access.ts');
    const caller = await callerOf(settings.as, policy, catalog);
    if (caller === stranger)
      shell.messages.write('schemac: this is a caller without a token; --as says whose access to show\n');
    await showTable(shell, accessTable(catalog, caller, 'policy'), flags);
    return 0;
  }
  if (policy === undefined)
    throw inputFault(`--matrix shows roles, and ${settings.config.path ?? 'the configuration'} has no 'auth' with any`);
  const { accessMatrix } = await import('../../server/operation/access/matrix.ts');
  const matrix = accessMatrix(catalog, policy.roles);
  if (expected === undefined) {
    await showTable(shell, matrix, flags);
    return 0;
  }
  const differences = await matrixDifferences(expected, matrix);
  if (flags['json'] === true) writeJsonLine(shell.output, { differences });
  else
    shell.output.write(differences.length === 0 ? 'no differences\n' : `${differences.map(visibleText).join('\n')}\n`);
  return differences.length === 0 ? 0 : 1;
};

function refuseTogether({ json, csv, as }: Flags, isMatrix: boolean, isCompared: boolean): void {
  if (json === true && csv === true) throw usageFault('--json and --csv are two forms; name one of them');
  if (csv === true && isCompared) throw usageFault('--expect writes differences, which are no --csv');
  if (as !== undefined && isMatrix)
    throw usageFault('--matrix and --expect are about all roles, and --as is about one caller');
}

/** The caller of `--as` with the rights of its roles; else the sender of a request without a token. */
async function callerOf(named: string | undefined, policy: AuthPolicy | undefined, catalog: Catalog): Promise<Caller> {
  if (named === undefined) {
    if (policy === undefined) return anyone;
    const { anonymous } = policy;
    if (anonymous === undefined) return stranger;
    return {
      subject: null,
      rights: grantsOf(policy, anonymous.roles),
      identity: { roles: anonymous.roles, claims: {} },
    };
  }
  const caller = callerAs(named);
  const { identity = { roles: [], claims: {} }, subject } = caller;
  await refuseUnknown({ subject, ...identity }, policy, catalog);
  return policy === undefined ? caller : { subject, identity, rights: grantsOf(policy, identity.roles) };
}

/** A misspelt role or claim would show less than there is. */
async function refuseUnknown(
  identity: CallerIdentity,
  policy: AuthPolicy | undefined,
  catalog: Catalog,
): Promise<void> {
  const { rolesNamed } = await import('../../compiler/index.ts');
  const claims = catalog.blocks.claim;
  refuseOther('role', identity.roles, [...Object.keys(policy?.roles ?? {}), ...rolesNamed(catalog)]);
  refuseOther(
    'claim',
    Object.keys(identity.claims),
    claims.map(({ path: [first = ''] }) => first),
  );
  callerValues(identity, claims);
}

function refuseOther(what: 'role' | 'claim', given: readonly string[], names: readonly string[]): void {
  const known = [...new Set(names)].sort();
  const other = given.find((name) => !known.includes(name));
  if (other === undefined) return;
  const read =
    what === 'role' ? 'neither the policy nor the schema has the role' : 'no CLAIM of the schema reads the member';
  const all = known.length === 0 ? '' : `; there are ${known.join(', ')}`;
  throw inputFault(visibleText(`--as: ${read} '${other}'${suggestion(nearestNames(other, known)) || all}`));
}

async function showTable(shell: Shell, table: Table, { json, csv }: Flags): Promise<void> {
  if (json === true) {
    const span = { file: statement, start: 0, end: statement.text.length };
    await showOutcome(shell, { kind: 'explain', table, span, warnings: [] }, true);
  } else if (csv === true) {
    const { csvLines } = await import('../../server/http/representation/csv.ts');
    const { header, line } = csvLines(table.columns);
    shell.output.write(header + table.rows.map(line).join(''));
  } else shell.output.write(renderTable(table, { width: shell.output.width(), expanded: false }));
}
