import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { explanations } from '../../cli/commands/explain.ts';
import { changeRegistry } from '../../compiler/analyse/incremental/change-registry.ts';
import { bindQuery } from '../../compiler/analyse/bind-statement.ts';
import { emptyRegistry } from '../../compiler/analyse/incremental/open-registry.ts';
import { noHistory } from '../../compiler/analyse/environment/registry.ts';
import { blocks } from '../../language/diagnostics/codes/blocks.ts';
import { names } from '../../language/diagnostics/codes/names.ts';
import { queries } from '../../language/diagnostics/codes/queries.ts';
import { sensitive } from '../../language/diagnostics/codes/sensitive.ts';
import { stores } from '../../language/diagnostics/codes/stores.ts';
import { types } from '../../language/diagnostics/codes/types.ts';
import { isBlockStatement } from '../../compiler/syntax/ast.ts';
import { parseScript } from '../../compiler/syntax/parse.ts';
import { caller, checkFiles } from './language.ts';

/** Codes of a text run statement by statement, as a script. */
function codesOf(text: string): readonly string[] {
  let registry = emptyRegistry;
  const codes: string[] = [];
  const parsed = parseScript({ name: 'example.schema', text });
  codes.push(...parsed.diagnostics.map((diagnostic) => diagnostic.code));
  for (const { statement } of parsed.statements) {
    if (statement === undefined) continue;
    if (statement.kind === 'QueryStatement')
      codes.push(...bindQuery(registry, statement.query, caller).diagnostics.map((d) => d.code));
    const drop = statement.kind === 'DropBlock' ? [{ kind: statement.block, name: statement.name.text }] : [];
    const put = isBlockStatement(statement) ? [statement] : [];
    const change = changeRegistry(registry, { put, drop, mode: 'script', forward: [], history: noHistory });
    codes.push(...change.diagnostics.map((diagnostic) => diagnostic.code));
    registry = change.registry;
  }
  return codes;
}

/** Codes that only statements outside the schema raise, stored events, or the console; `test/errors` runs their examples there. */
const inSession: readonly string[] = ['E0219', 'E0220', 'E0417', 'E0418', 'E0423', 'E0424', 'E0428', 'E0618'];

const explained = explanations();
for (const code of Object.keys({ ...names, ...types, ...blocks, ...queries, ...sensitive, ...stores })) {
  const example = explained.get(code)?.example;
  if (example === undefined || inSession.includes(code)) continue;
  test(`the example of ${code} is refused with that code alone`, () => {
    const inScript = codesOf(example);
    // Some errors concern several blocks and are only reported for files.
    const found = inScript.includes(code)
      ? inScript
      : checkFiles(example).diagnostics.map((diagnostic) => diagnostic.code);
    assert.equal(found, [code]);
  });
}

test.run();
