import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { CompletionRequest, HoverRequest, type Diagnostic } from 'vscode-languageserver-protocol/node';
import { compileFiles, crossCheck, hasErrors, noHistory, type SourceFile } from '../../compiler/index.ts';
import { shownDiagnostic } from '../../cli/lsp/diagnostic.ts';
import { sortedDiagnostics } from '../../language/diagnostics/sort.ts';
import { createChance } from '../crash/chance.ts';
import { bank } from './bank.ts';
import { openClient } from './client.ts';
import { editRandomly } from './random-edits.ts';

const seed = Number(process.env['SCHEMAC_SEED'] ?? Date.now() % 2 ** 31);
/** Of ten edits each. */
const bursts = Number(process.env['SCHEMAC_EDIT_BURSTS'] ?? 25);

/** What `check --max-diagnostics 0` says of the text, as the editor shows it. */
function checked(uri: string, text: string): readonly Diagnostic[] {
  const file: SourceFile = { name: uri, text: text.replace(/\p{Surrogate}/gu, '\ufffd') };
  const { diagnostics, registry } = compileFiles([file], noHistory, Infinity);
  const all = hasErrors(diagnostics)
    ? diagnostics
    : sortedDiagnostics([...diagnostics, ...crossCheck(registry)], [file], Infinity);
  return all.slice(0, 100).map((each) => shownDiagnostic(each, (name) => name));
}

test(`after bursts of random edits the diagnostics are those of check (SCHEMAC_SEED=${seed})`, async () => {
  const client = await openClient();
  const chance = createChance(seed);
  const uri = 'untitled:random';
  client.open(uri, bank);
  for (let burst = 0; burst < bursts; burst++) {
    for (let edit = 0; edit < 10; edit++) editRandomly(client, uri, chance, bank);
    const position = client.positionOf(uri, chance.below(client.textOf(uri).length + 1));
    await client.connection.sendRequest(CompletionRequest.type, { textDocument: { uri }, position });
    await client.connection.sendRequest(HoverRequest.type, { textDocument: { uri }, position });
    const text = client.textOf(uri);
    assert.equal(await client.settled(uri), checked(uri, text), `burst ${burst}: ${JSON.stringify(text)}`);
  }
  assert.equal([await client.stop(), client.said()], [0, '']);
});

test.run();
