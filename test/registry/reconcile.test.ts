import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { noHistory } from '../../compiler/index.ts';
import type { RegisteredBlock } from '../../language/contract/domain.ts';
import type { Entries } from '../../runtime/store/store.ts';
import { compileBlocks } from '../../server/registry/from-log/compile-blocks.ts';
import { readLoggedBlocks } from '../../server/registry/from-log/logged-blocks.ts';
import { reconcile, type LoggedBlock } from '../../server/registry/from-log/reconcile.ts';

const block = (name: string, text: string): RegisteredBlock => ({ kind: 'event', name, text });
const logged = (name: string, text: string, origin: 'files' | 'create'): LoggedBlock => ({
  ...block(name, text),
  origin,
});
const put = (name: string, text: string) => ({ change: 'put' as const, block: 'event' as const, name, text });

test('equal registries change nothing', async () => {
  assert.equal(await reconcile([block('A', '1')], [logged('A', '1', 'create')]), {
    changes: [],
    kept: [],
    conflicts: [],
  });
});

test('files add, replace and drop blocks that files created', async () => {
  const found = await reconcile(
    [block('A', '2'), block('B', '1')],
    [logged('A', '1', 'files'), logged('C', '1', 'files')],
  );
  assert.equal(found, {
    changes: [put('A', '2'), put('B', '1'), { change: 'drop', block: 'event', name: 'C' }],
    kept: [],
    conflicts: [],
  });
});

test('a posted block stays, and a different one in files is a conflict', async () => {
  const posted = logged('A', '1', 'create');
  const other = logged('P', '1', 'create');
  assert.equal(await reconcile([block('A', '2')], [posted, other]), {
    changes: [],
    kept: [other],
    conflicts: [{ files: block('A', '2'), log: posted }],
  });
});

test('a posted block that differs in doc comments only is no conflict', async () => {
  const text = 'CREATE EVENT A (n INT);';
  const posted = logged('A', `--- posted\n${text}`, 'create');
  const files = block('A', `--- of the files\n${text}`);
  const none = { changes: [], kept: [], conflicts: [] };
  assert.equal(await reconcile([files], [posted]), none);
  assert.equal(await reconcile([files], [posted], 'log'), { ...none, kept: [posted] });
  assert.equal(await reconcile([files], [posted], 'files'), { ...none, changes: [put('A', files.text)] });
  const written = logged('A', posted.text, 'files');
  assert.equal(await reconcile([files], [written]), { ...none, changes: [put('A', files.text)] });
});

test('accept selects the definition of the files or of the log', async () => {
  const posted = logged('A', '1', 'create');
  assert.equal(await reconcile([block('A', '2')], [posted], 'files'), {
    changes: [put('A', '2')],
    kept: [],
    conflicts: [],
  });
  assert.equal(await reconcile([block('A', '2')], [posted], 'log'), { changes: [], kept: [posted], conflicts: [] });
});

test('a name that differs only in case is the same block', async () => {
  const text = (name: string): string => `CREATE EVENT ${name} ();`;
  const [lower, upper] = [block('bike', text('bike')), logged('Bike', text('Bike'), 'files')];
  const posted = logged('Bike', text('Bike'), 'create');
  assert.equal(await reconcile([lower], [upper]), { changes: [put('bike', text('bike'))], kept: [], conflicts: [] });
  assert.equal(await reconcile([lower], [posted]), {
    changes: [],
    kept: [],
    conflicts: [{ files: lower, log: posted }],
  });
});

test('a block replaced by one whose name differs in case leaves only the new one', () => {
  const change = (what: 'put' | 'drop', name: string) => ({
    change: what,
    block: 'event' as const,
    name,
    ...(what === 'put' && { text: name }),
  });
  const schema = (...changes: ReturnType<typeof change>[]) => ({ schema: () => [{ origin: 'files', changes }] });
  const names = (...changes: ReturnType<typeof change>[]): readonly string[] =>
    readLoggedBlocks(schema(...changes) as unknown as Entries).map(({ name }) => name); // nothing else of the store is read
  const [bike, Bike, gone] = [change('put', 'bike'), change('put', 'Bike'), change('drop', 'Bike')];
  assert.equal(names(Bike, bike), ['bike']);
  assert.equal(names(Bike, bike, gone), ['bike']);
  assert.equal(names(Bike, gone), []);
});

test('a posted block that no longer compiles is named', () => {
  const posted: RegisteredBlock = {
    kind: 'projection',
    name: 'Late',
    text: 'CREATE PROJECTION Late AS SELECT COUNT(*) AS n FROM Reg."Gone$Events";',
  };
  assert.throws(
    () => compileBlocks([posted], noHistory),
    /^the registry does not compile: projection Late: there is no relation 'Gone\$Events'.* \(E0206\)$/,
  );
});

test.run();
