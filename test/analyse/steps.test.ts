/** Work on a text of a caller is divided into steps, whatever the text is: a server takes other requests between them. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { changeInSteps } from '../../compiler/analyse/incremental/change-registry.ts';
import { emptyRegistry } from '../../compiler/analyse/incremental/open-registry.ts';
import { noHistory } from '../../compiler/analyse/environment/registry.ts';
import { isBlockStatement } from '../../compiler/syntax/ast.ts';
import { parseInSteps } from '../../compiler/syntax/parse.ts';
import { emitInSteps } from '../../compiler/emit/project/emit-modules.ts';
import type { Steps } from '../../language/source/steps.ts';

function counted<T>(work: Steps<T>): { readonly result: T; readonly steps: number } {
  for (let steps = 0; ; steps++) {
    const { done, value } = work.next();
    if (done === true) return { result: value, steps };
  }
}

const many = 100;
/** Ten times the text of a step. */
const signs = 81_920;

/** A name, a text, and the least number of its steps. */
const texts: readonly (readonly [string, string, number])[] = [
  ['one statement', `SELECT ${'a,'.repeat(signs / 2)}`, 10],
  ['a statement after its error', "'\n" + ','.repeat(signs), 10],
  ['no statement', ';'.repeat(signs), 10],
  // The body is read for its end, and each of its statements is checked.
  ['a body in parentheses', `CREATE TEMPLATE T (A) AS (${'{{A}},'.repeat(signs / 6)});`, 20],
  ['a body that ends with END', `CREATE TEMPLATE T (A) AS ${'{{A}},'.repeat(signs / 6)} END TEMPLATE;`, 20],
];
for (const [name, text, least] of texts)
  test(`parsing ${name}`, () => {
    const { steps } = counted(parseInSteps({ name: 'x', text }));
    assert.ok(steps >= least, `${steps} steps`);
  });

/** A text of many blocks that is checked, and the steps for each of its blocks: read, tried, checked, looked at. */
const changes: readonly (readonly [string, string, number])[] = [
  ['sound blocks', '', 8],
  ['blocks with one that has an error', 'CREATE PROJECTION P AS SELECT a;', 7],
];
for (const [name, more, each] of changes)
  test(`putting ${name} in force`, () => {
    const blocks = Array.from({ length: many }, (_, at) => `CREATE EVENT E${at} (n INT);`).join(' ');
    const { result: parsed } = counted(parseInSteps({ name: 'x', text: `${blocks} ${more}` }));
    const put = parsed.statements.flatMap(({ statement }) =>
      statement !== undefined && isBlockStatement(statement) ? [statement] : [],
    );
    const change = { put, drop: [], forward: [], mode: 'script', history: noHistory } as const;
    const { result, steps } = counted(changeInSteps(emptyRegistry, change));
    assert.is(Math.floor(steps / many), each, `${steps} steps`);
    const { catalog } = result.registry;
    const emitted = counted(emitInSteps(catalog, { version: '1', exportText: '' }));
    assert.ok(emitted.steps >= emitted.result.modules.length);
  });

test.run();
