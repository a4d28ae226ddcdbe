import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { CancellationTokenSource, HoverRequest, RenameRequest, type Hover } from 'vscode-languageserver-protocol/node';
import { compileFiles } from '../../compiler/index.ts';
import { keep } from '../../cli/lsp/kept.ts';
import { bank } from './bank.ts';
import { openClient, type Client } from './client.ts';

/** Messages are read after each step. */
const pauses = { soon: 1, pause: 10, slice: 0 };
const uri = 'untitled:bank';

async function withBank(work: (client: Client, hover: () => Promise<Hover | null>) => Promise<void>): Promise<void> {
  const client = await openClient({ pauses });
  client.open(uri, bank);
  const position = client.positionOf(uri, bank.indexOf('Opened'));
  const { connection } = client;
  try {
    await work(client, () => connection.sendRequest(HoverRequest.type, { textDocument: { uri }, position }));
  } finally {
    assert.equal([await client.stop(), client.said()], [0, '']);
  }
}

function codeOf(answer: Promise<unknown>): Promise<unknown> {
  return answer.then(
    (value) => (value === null ? null : 'answered'),
    (error: unknown) => (error as { code: number }).code,
  );
}

test('a request is answered by the text that it is about, or refused because that has changed', () =>
  withBank(async (client, hover) => {
    const early = codeOf(hover());
    client.edit(uri, 0, 0, '-- a note\n');
    assert.equal([await early, await codeOf(hover())], [-32801, null]);
  }));

test('a cancelled request is not answered', () =>
  withBank(async (client, hover) => {
    const { connection } = client;
    const cancelling = new CancellationTokenSource();
    const position = client.positionOf(uri, bank.indexOf('Opened'));
    const place = { textDocument: { uri }, position, newName: 'Begun' };
    const renamed = codeOf(connection.sendRequest(RenameRequest.type, place, cancelling.token));
    cancelling.cancel();
    assert.equal([await renamed, await codeOf(hover())], [-32800, 'answered']);
  }));

test('changes that come while the text is compiled end in the diagnostics of check', () =>
  withBank(async (client) => {
    for (const word of ['STRONG', 'INT', 'STRIN', 'STRING'])
      client.edit(uri, 0, client.textOf(uri).length, bank.replace('owner STRING', `owner ${word}`));
    const broken = bank.replace('owner STRING', 'owner STRONG');
    client.edit(uri, 0, client.textOf(uri).length, broken);
    const { diagnostics } = compileFiles([{ name: uri, text: broken }]);
    const codes = diagnostics.map(({ code }) => code).join();
    await client.until(() => {
      const last = client.published.at(-1);
      return last?.version === 6 && last.diagnostics.map(({ code }) => code).join() === codes;
    });
  }));

test('a kept value is made once for all, and again when the texts have changed', () => {
  let made = 0;
  const kept = keep(function* () {
    yield;
    yield;
    return ++made;
  });
  const [one, other] = [kept.making(), kept.making()];
  assert.equal([one.next().done, other.next().done, one.next().done], [false, false, false]);
  assert.equal([kept.made(), other.next().done, one.next().done], [1, true, true]);
  kept.forget();
  const late = kept.making();
  late.next();
  kept.forget();
  assert.equal([late.next().done, kept.made(), kept.get(), kept.get()], [true, undefined, 2, 2]);
});

test.run();
