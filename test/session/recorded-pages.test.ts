/** Checks that a query of a session copies a bounded part of the recorded commands, and can be stopped. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Failure } from '../../language/failure/failure.ts';
import { boundedPages } from '../../server/session/place-query.ts';

async function* pages(): AsyncGenerator<readonly (readonly string[])[]> {
  for (const page of [[['a'], ['b']], [['c']], [['d']]]) yield await Promise.resolve(page);
}

async function read(most: number | undefined, stopAfter = Infinity): Promise<unknown> {
  const said: string[] = [];
  const progress = (text: string): Promise<void> => {
    said.push(text);
    return said.length > stopAfter ? Promise.reject(new Failure('R0303', 'stopped')) : Promise.resolve();
  };
  const rows: string[] = [];
  try {
    for await (const page of boundedPages({ progress }, pages(), most))
      rows.push(...page.map(([cell]) => cell as string));
  } catch (error) {
    return [rows.join(''), (error as Failure).code];
  }
  return [rows.join(''), said.at(-1)];
}

test('all pages, pages up to the limit, and pages until it is stopped', async () => {
  assert.equal(await read(undefined), ['abcd', '4 recorded commands read']);
  assert.equal(await read(1), ['', 'R0301']);
  assert.equal(await read(undefined, 1), ['ab', 'R0303']);
});

test.run();
