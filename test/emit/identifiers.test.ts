import { test } from 'uvu';
import * as assert from 'uvu/assert';
import * as runtime from '../../server/index.ts';
import { createFileTable, createNameScope, typeIdentifier } from '../../templates/identifiers.ts';

const types: readonly (readonly [name: string, identifier: string])[] = [
  ['RentBike', 'RentBike'],
  ['class', 'class_'],
  ['await', 'await_'],
  ['string', 'string_'],
  ['Object', 'Object_'],
  ['undefined', 'undefined_'],
  ['Domain', 'Domain_'],
  ['__proto__', '__proto__'],
];
for (const [name, identifier] of types) test(`${name} as a type`, () => assert.is(typeIdentifier(name), identifier));

test('no block can hide an import of generated code', () => {
  for (const name of Object.keys(runtime).filter((candidate) => !/^(ExactNumber|Failure)$/.test(candidate)))
    assert.is(typeIdentifier(name), `${name}_`, name);
});

test('a scope gives each name only once', () => {
  const scope = createNameScope(['state']);
  const given = [['Hired'], ['Hired'], ['Hired', 'HiredEvent'], ['state'], ['class'], ['class_']].map((offered) =>
    scope.take(...offered),
  );
  assert.equal(given, ['Hired', 'Hired2', 'HiredEvent', 'state2', 'class_', 'class_2']);
});

test('file names', () => {
  const table = createFileTable(['Account', 'CON', 'CON_', 'index', 'nul', 'com1', '__proto__', 'constructor']);
  assert.equal(
    [...table.values()],
    ['Account', 'CON_', '__proto__', 'constructor', 'CON__', 'index_', 'nul_', 'com1_'],
  );
  assert.is(table.get('CON'), 'CON__');
});

test('names that differ only in case have different files', () => {
  assert.equal([...createFileTable(['Account', 'ACCOUNT']).values()], ['Account', 'ACCOUNT_']);
});

for (const name of ['', '../x', 'a/b', 'a\0b', 'a b', 'é', 'x'.repeat(64), '$Events'])
  test(`${JSON.stringify(name)} is never the name of a file`, () =>
    assert.throws(() => createFileTable([name]), /not checked/));

test.run();
