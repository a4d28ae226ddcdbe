import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { parseScript } from '../../compiler/syntax/parse.ts';
import { findAll, walk } from '../../compiler/syntax/walk.ts';

function tree(text: string) {
  const statement = parseScript({ name: 'x', text }).statements[0]?.statement;
  if (statement === undefined) throw new Error(`no statement: ${text}`);
  return statement;
}

test('parents come before children, in the order of the text', () => {
  const seen: string[] = [];
  walk(tree('SELECT a + 1 AS b FROM t WHERE c;'), (node, depth) => {
    seen.push(`${depth} ${node.kind}`);
  });
  assert.equal(seen, [
    ...['0 QueryStatement', '1 Query', '2 Select', '3 SelectExpression', '4 Binary', '5 ColumnReference', '6 Name'],
    ...['5 NumberLiteral', '4 Name', '3 NamedRelation', '4 Name', '3 ColumnReference', '4 Name'],
  ]);
});

test('false skips the children of a node', () => {
  const seen: string[] = [];
  walk(tree('SELECT (SELECT b), c;'), (node) => {
    seen.push(node.kind);
    return node.kind !== 'SelectExpression';
  });
  assert.equal(seen, ['QueryStatement', 'Query', 'Select', 'SelectExpression', 'SelectExpression']);
});

test('children in nested objects and lists are visited too', () => {
  const names = (text: string) => findAll(tree(text), 'Name').map(({ text: name }) => name);
  assert.equal(names('SELECT SUM(a) OVER (ORDER BY b ROWS c PRECEDING);'), ['SUM', 'a', 'b', 'c']);
  assert.equal(names('APPLY TEMPLATE T WITH (F = (a INT));'), ['T', 'F', 'a']);
  assert.equal(names('EXPLAIN SELECT a;'), ['a']);
  assert.equal(names('EXPLAIN DECISION D;'), ['D']);
  assert.equal(names('EXPLAIN ACCESS;'), []);
  assert.equal(names("EXPLAIN ACCESS FOR CALLER 'ada' CLAIMS (clinic := 'north');"), ['clinic']);
});

test('the deepest allowed tree does not exhaust the stack', () => {
  const found = findAll(tree(`SELECT a${' + 1'.repeat(1100)};`), 'NumberLiteral');
  assert.is(found.length, 1100);
});

test.run();
