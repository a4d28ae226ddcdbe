/** Many commands in one request (docs/http.md#many-commands-in-one-request), point by point. */
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fail } from '../../language/failure/failure.ts';
import { openArrowReader } from '../arrow/arrow-reader.ts';
import { rawRequest, readRaw } from './raw-request.ts';
import { freshFolder } from '../store/fresh-folder.ts';
import { startSample } from './sample-server.ts';

const test = suite('many commands');
const server = await startSample({
  limits: { headerMilliseconds: 500, requestMilliseconds: 600, stallMilliseconds: 1_000, commandBytes: 2_048 },
});
const reader = openArrowReader();
test.after(async () => {
  reader.close();
  await server.stop();
});

const register = '/api/aggregates/Bike/execute/RegisterBike';
const rent = '/api/aggregates/Bike/execute/RentBike';
const ndjson = { 'Content-Type': 'application/x-ndjson', Accept: 'application/x-ndjson' };

type AnswerRow = Readonly<Record<string, unknown>>;
const bike = (id: string, more: object = {}): string =>
  JSON.stringify({ bike_id: id, model: 'Roadster', price: 1, ...more });
const rowsOf = (text: string): AnswerRow[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as AnswerRow);
/** Line, status, stream and seq of each row, and whether it is a replay. */
const brief = (rows: readonly AnswerRow[]): unknown[] =>
  rows.map(({ line, status, stream_id, seq, replayed }) => [
    line,
    status,
    stream_id,
    seq,
    ...(replayed === true ? ['replayed'] : []),
  ]);
const errorsOf = (rows: readonly AnswerRow[]): unknown[] =>
  rows.flatMap(({ line, status, fields }) =>
    status === 'error' ? [[line, (JSON.parse(String(fields)) as { error: string }).error]] : [],
  );
async function send(
  path: string,
  body: string | Uint8Array,
  headers: Record<string, string> = {},
): Promise<AnswerRow[]> {
  const answer = await fetch(server.url + path, { method: 'POST', headers: { ...ndjson, ...headers }, body });
  assert.is(answer.status, 200);
  return rowsOf(await answer.text());
}

test('a row an event, rejection or error, in order; a line sees the events of the lines before it', async () => {
  const body = [bike('M-1'), bike('M-1'), '{"bike_id":"M-2","price":1}', bike('M-3')].join('\n');
  const rows = await send(register, body);
  assert.equal(brief(rows), [
    [1, 'success', 'M-1', 1],
    [2, 'rejected', 'M-1', null],
    [3, 'error', 'M-2', null],
    [4, 'success', 'M-3', 1],
  ]);
  assert.equal(Object.keys(rows[0] ?? {}), ['line', 'event_type', 'stream_id', 'seq', 'status', 'fields', 'replayed']);
  assert.equal(JSON.parse(String(rows[2]?.['fields'])), {
    error: "RegisterBike: argument 'model' is missing; it takes STRING",
    code: 'R0101',
  });
  assert.match(String(rows[0]?.['fields']), /"receipt":"R-M-1"/);
});

test('blank lines count and say nothing; CR LF, a mark at the beginning, a last line without an end', async () => {
  const body = `\ufeff${bike('W-1')}\r\n\r\n  \n${bike('W-2')}`;
  assert.equal(brief(await send(register, body)), [
    [1, 'success', 'W-1', 1],
    [4, 'success', 'W-2', 1],
  ]);
});

test('a line that cannot be read is an error, and the next one goes on', async () => {
  const long = bike('L-1', { model: 'x'.repeat(2_048) });
  const body = Buffer.concat([
    Buffer.from(`${bike('L-0')}\nno json\n[1]\n{"a":1,"a":2}\n${long}\n`),
    Buffer.from([0x7b, 0xff, 0x7d, 0x0a]),
    Buffer.from(`{"bike_id":"7","model":"m","price":1,"colour":"red"}\n${bike('L-2')}\n`),
  ]);
  const rows = await send(register, body);
  assert.equal(errorsOf(rows), [
    [2, 'the line is not JSON at character 1: this is no JSON value'],
    [3, 'the line must be a JSON object'],
    [4, 'the line is not JSON at character 8: a repeated key in one object'],
    [5, 'the line is larger than 2048 bytes'],
    [6, 'the line is not valid UTF-8'],
    [7, "RegisterBike has no argument 'colour'; it takes bike_id, model, price, limit, code"],
  ]);
  assert.equal(brief(rows.filter(({ status }) => status === 'success')), [
    [1, 'success', 'L-0', 1],
    [8, 'success', 'L-2', 1],
  ]);
});

test('envelopes: keys, expected seqs and replays of single lines', async () => {
  const envelope = (id: string, more: object): string =>
    JSON.stringify({ params: JSON.parse(bike(id)) as unknown, ...more });
  const body = [
    envelope('E-1', { idempotency_key: 'k-1' }),
    envelope('E-1', { idempotency_key: 'k-1' }),
    envelope('E-2', { expected_seq: 3 }),
    envelope('E-3', { expected_seq: 0 }),
    envelope('E-4', { idempotency_key: 7 }),
    envelope('E-5', { expected_seq: '0' }),
    envelope('E-6', { note: 'x' }),
    envelope('E-1', { idempotency_key: 'k-1' }).replace('Roadster', 'Cargo'),
    '{"params":{},"idempotency_key":""}',
  ].join('\n');
  const rows = await send(register, body);
  assert.equal(brief(rows), [
    [1, 'success', 'E-1', 1],
    [2, 'success', 'E-1', 1, 'replayed'],
    [3, 'error', 'E-2', null],
    [4, 'success', 'E-3', 1],
    [5, 'error', null, null],
    [6, 'error', null, null],
    [7, 'error', null, null],
    [8, 'error', 'E-1', null],
    [9, 'error', null, null],
  ]);
  assert.equal(errorsOf(rows), [
    [3, "stream 'E-2' is at seq 0, expected 3"],
    [5, 'idempotency_key takes a text'],
    [6, 'expected_seq takes a whole number from 0, without quotes'],
    [
      7,
      "RegisterBike: 5 arguments are wrong: there is no argument 'params' (it takes bike_id, model, price, limit, code); there is no argument 'note'; argument 'bike_id' (STRING) is missing; argument 'model' (STRING) is missing; argument 'price' (DECIMAL(8,2)) is missing",
    ],
    [
      8,
      "command id 'k-1' was already used on this stream with another command or with arguments other than these of RegisterBike",
    ],
    [9, 'idempotency_key takes 1 to 256 printable ASCII characters'],
  ]);
});

test('a command with a field params takes only envelopes', async () => {
  const rows = await send('/api/aggregates/Dock/execute/OpenDock', '{"params":"D-1"}\n{"params":{"params":"D-2"}}');
  assert.equal(brief(rows), [
    [1, 'error', null, null],
    [2, 'success', 'D-2', 1],
  ]);
});

test('the forms of the answer', async () => {
  const ask = (accept: string, body: string): Promise<Response> =>
    fetch(server.url + register, { method: 'POST', headers: { ...ndjson, Accept: accept }, body });
  const csv = await ask('text/csv', bike('F-1', { code: 's' }));
  assert.is(
    await csv.text(),
    'line,event_type,stream_id,seq,status,fields,replayed\r\n1,BikeRegistered,F-1,1,success,"{""model"":""Roadster"",""price"":1.00,""limit"":null,""code"":""****"",""receipt"":""R-F-1""}",false\r\n',
  );
  const json = await ask('application/json', `${bike('F-2')}\n`);
  assert.equal(brief((await json.json()) as AnswerRow[]), [[1, 'success', 'F-2', 1]]);
  const arrow = await ask('*/*', bike('F-3'));
  const read = await reader.read(Buffer.from(await arrow.arrayBuffer()));
  assert.equal(read.columns, [
    'line: Int64 not null',
    'event_type: Utf8',
    'stream_id: Utf8',
    'seq: Int64',
    'status: Utf8 not null',
    'fields: Utf8 not null',
    'replayed: Bool not null',
  ]);
  const empty = await Promise.all(
    ['application/x-ndjson', 'application/json', 'text/csv'].map((form) => ask(form, '')),
  );
  assert.equal(await Promise.all(empty.map((answer) => answer.text())), [
    '',
    '[]\n',
    'line,event_type,stream_id,seq,status,fields,replayed\r\n',
  ]);
});

const typed = (type: string): Record<string, string> => ({ ...ndjson, 'Content-Type': type });
for (const [what, path, headers, status, error] of [
  [
    'parameters of the type',
    register,
    typed('application/x-ndjson; charset=utf-8'),
    415,
    'a command a line is declared as Content-Type: application/x-ndjson, without parameters',
  ],
  [
    'application/ndjson',
    register,
    typed('application/ndjson'),
    415,
    'a command a line is declared as Content-Type: application/x-ndjson, without parameters',
  ],
  [
    'application/jsonl',
    register,
    typed('application/jsonl'),
    415,
    'a command a line is declared as Content-Type: application/x-ndjson, without parameters',
  ],
  ['compressed lines', register, { ...ndjson, 'Content-Encoding': 'gzip' }, 415, 'compressed bodies are not accepted'],
  [
    'an Idempotency-Key',
    register,
    { ...ndjson, 'Idempotency-Key': 'k' },
    400,
    'Idempotency-Key is of one command; a line gives its own as idempotency_key or expected_seq',
  ],
  [
    'an If-Match',
    register,
    { ...ndjson, 'If-Match': '"1"' },
    400,
    'If-Match is of one command; a line gives its own as idempotency_key or expected_seq',
  ],
  [
    'an unknown form',
    register,
    { ...ndjson, Accept: 'image/png' },
    406,
    'a table is available as application/vnd.apache.arrow.stream, application/json, text/csv, text/csv;csv=safe, application/x-ndjson; Accept names none of them',
  ],
  ['an unknown command', '/api/aggregates/Bike/execute/Nothing', ndjson, 404, "there is no command 'Nothing'"],
  [
    'a command of another aggregate',
    '/api/aggregates/Dock/execute/RentBike',
    ndjson,
    403,
    "command 'RentBike' is decided for aggregate 'Bike', not 'Dock'",
  ],
  [
    'lines as the form of one command',
    register,
    { ...ndjson, 'Content-Type': 'application/json' },
    406,
    'a table is available as application/vnd.apache.arrow.stream, application/json, text/csv, text/csv;csv=safe, text/html; Accept names none of them',
  ],
] as const) {
  test(`refused as a whole: ${what}`, async () => {
    const answer = await fetch(server.url + path, { method: 'POST', headers, body: bike('R-1') });
    assert.equal([answer.status, await answer.json()], [status, { error }]);
  });
}

test('HTTP/1.0, whose answers do not show that they are complete, is refused', async () => {
  const body = bike('H-1');
  const answer = readRaw(
    await rawRequest(
      server.port,
      `POST ${register} HTTP/1.0\r\nHost: 127.0.0.1\r\nContent-Type: application/x-ndjson\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    ),
  );
  assert.equal(
    [answer.status, answer.body],
    [505, { error: 'many commands in one request need HTTP/1.1, whose answers show that they are complete' }],
  );
});

test('read-only mode', async () => {
  const other = await startSample({ readOnly: true });
  try {
    const answer = await fetch(other.url + register, { method: 'POST', headers: ndjson, body: bike('R-1') });
    assert.is(answer.status, 403);
  } finally {
    await other.stop();
  }
});

test('correlation holds for all lines; one log line with counts, and each command is counted', async () => {
  const body = [bike('C-1'), bike('C-1'), 'x', bike('C-2')].join('\n');
  await send(register, body, { 'X-Correlation-Id': 'import-1', 'X-Causation-Id': 'cause-1' });
  const entries = (await server.entries()).filter(
    (entry) => entry.kind === 'command' && ['C-1', 'C-2'].includes(entry.streamId),
  );
  assert.equal(
    entries.map((entry) => entry.kind === 'command' && [entry.correlationId, entry.causationId]),
    [
      ['import-1', 'cause-1'],
      ['import-1', 'cause-1'],
    ],
  );
  const [line] = server.lines.filter(({ rejected, lines }) => lines === 4 && rejected === 1).slice(-1);
  assert.equal(
    [line?.['message'], line?.['emitted'], line?.['errors'], line?.['events'], line?.['status']],
    ['audit', 2, 1, 2, 200],
  );
  assert.match(await (await server.get('/metrics')).text(), /schemac_commands_total\{outcome="rejected"\} \d/);
});

interface Slow {
  readonly write: (text: string) => void;
  readonly end: (text?: string) => void;
  readonly destroy: () => void;
  /** Everything that was answered, when the answer has ended or was cut. */
  readonly answered: Promise<{ readonly status: number | undefined; readonly text: string; readonly whole: boolean }>;
  /** Resolves when the answer holds this. */
  readonly until: (pattern: RegExp) => Promise<void>;
}

/** A request whose body is written bit by bit. */
function slowly(port: number, path: string, headers: Record<string, string> = ndjson): Slow {
  let text = '';
  let told: (() => void)[] = [];
  const sent = httpRequest({ port, host: '127.0.0.1', method: 'POST', path, headers });
  const answered = new Promise<{ status: number | undefined; text: string; whole: boolean }>((resolve) => {
    sent.on('error', () => resolve({ status: undefined, text, whole: false }));
    sent.on('response', (answer) => {
      answer.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
        for (const tell of told) tell();
      });
      answer.on('error', () => undefined);
      answer.on('close', () => resolve({ status: answer.statusCode, text, whole: answer.complete }));
    });
  });
  sent.flushHeaders();
  return {
    write: (more) => void sent.write(more),
    end: (more = '') => void sent.end(more),
    destroy: () => void sent.destroy(),
    answered,
    until: (pattern) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (!pattern.test(text)) return;
          told = told.filter((tell) => tell !== look);
          resolve();
        };
        told.push(look);
        look();
      }),
  };
}

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

test('lines are answered as they come, for longer than a request may take otherwise', async () => {
  const request = slowly(server.port, register);
  for (let count = 0; count < 5; count += 1) {
    request.write(`${bike(`T-${count}`)}\n`);
    await request.until(new RegExp(`"stream_id":"T-${count}"`));
    await pause(400);
  }
  request.end();
  const { status, text, whole } = await request.answered;
  assert.equal([status, whole, rowsOf(text).length], [200, true, 5]);
});

test('a line that does not end in time, and a next line that does not come: 408 before any row, later a cut', async () => {
  const [begun, silent, after] = [
    slowly(server.port, register),
    slowly(server.port, register),
    slowly(server.port, register),
  ];
  begun.write('{"bike_id":');
  after.write(`${bike('S-1')}\n{`);
  const dribble = setInterval(() => begun.write(' '), 100);
  const [first, second, third] = await Promise.all([begun.answered, silent.answered, after.answered]);
  clearInterval(dribble);
  assert.equal(
    [first.status, JSON.parse(first.text), second.status, JSON.parse(second.text)],
    [408, { error: 'a line was not complete within 600 ms' }, 408, { error: 'no line came within 1000 ms' }],
  );
  assert.equal([third.status, third.whole, brief(rowsOf(third.text))], [200, false, [[1, 'success', 'S-1', 1]]]);
});

test('a client that writes everything before it reads is answered', async () => {
  const many = 4_000;
  const body = Array.from({ length: many }, (_, index) => bike(`B-${index}`)).join('\n');
  const socket = connect(server.port, '127.0.0.1');
  const head = `POST ${register} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Type: application/x-ndjson\r\nAccept: application/x-ndjson\r\nContent-Length: ${body.length}\r\n\r\n`;
  await new Promise<void>((resolve) => socket.write(head + body, () => resolve()));
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  await new Promise((resolve) => socket.on('close', resolve));
  assert.is([...text.matchAll(/"status":"success"/g)].length, many);
});

test('many requests of many commands at once', async () => {
  const warnings: string[] = [];
  const onWarning = ({ message }: Error): void => void warnings.push(message);
  process.on('warning', onWarning);
  const requests = Array.from({ length: 20 }, () => slowly(server.port, register));
  for (const [at, request] of requests.entries()) request.write(`${bike(`A-${at}`)}\n`);
  await Promise.all(requests.map((request) => request.until(/"line":1/)));
  for (const request of requests) request.end();
  const answers = await Promise.all(requests.map(({ answered }) => answered));
  process.off('warning', onWarning);
  assert.equal(
    [answers.map(({ whole }) => whole), warnings],
    [requests.map(() => true), []], // such as of too many listeners
  );
});

test('after the client has gone nothing is begun but what was under way', async () => {
  const { entry } = server.engine.store.turns.position();
  const request = slowly(server.port, register);
  const lines = Array.from({ length: 20_000 }, (_, index) => bike(`G-${index}`)).join('\n');
  request.write(`${lines.slice(0, 200_000)}\n`);
  await request.until(/"stream_id":"G-1"/);
  request.destroy();
  let begun = 0;
  let before = -1;
  while (begun !== before) {
    before = begun;
    await pause(300);
    begun = server.engine.store.turns.position().entry - entry;
  }
  const sent = lines.slice(0, 200_000).split('\n').length;
  assert.ok(begun >= 1 && begun < sent / 2, `${begun} of ${sent} were begun`);
});

test('Expect: 100-continue is answered once the request is accepted, and refused without it', async () => {
  const head = (type: string): string =>
    `POST ${register} HTTP/1.1\r\nHost: 127.0.0.1\r\nExpect: 100-continue\r\nContent-Type: ${type}\r\nAccept: application/x-ndjson\r\nContent-Length: ${bike('X-1').length}\r\n\r\n`;
  const refused = await rawRequest(server.port, head('application/ndjson'));
  assert.match(refused, /^HTTP\/1\.1 415 /);
  assert.match(refused, /\r\nConnection: close\r\n/i);
  const socket = connect(server.port, '127.0.0.1');
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  socket.write(head('application/x-ndjson'));
  while (!text.includes('100 Continue')) await pause(5);
  assert.is(text, 'HTTP/1.1 100 Continue\r\n\r\n');
  socket.write(bike('X-1'));
  while (!text.includes('"X-1"')) await pause(5);
  socket.destroy();
});

for (const failure of [fail('R0403', { reason: 'EIO' }), fail('R0413', { reason: 'the log is away' })]) {
  test(`when the store fails, the lines under way are errors, and the answer is cut: ${failure.code}`, async () => {
    const other = await startSample();
    try {
      const request = slowly(other.port, register);
      request.write(`${bike('O-1')}\n`);
      await request.until(/"O-1"/);
      other.switches.failNext = failure;
      request.write(`${bike('O-2')}\n`);
      await request.until(/"O-2"/);
      request.write(`${bike('O-3')}\n`);
      const { text, whole } = await request.answered;
      assert.equal(
        [whole, brief(rowsOf(text)), errorsOf(rowsOf(text))],
        [
          false,
          [
            [1, 'success', 'O-1', 1],
            [2, 'error', 'O-2', null],
          ],
          [[2, failure.message]],
        ],
      );
    } finally {
      await other.stop();
    }
  });
}

test('while the store takes no commands, the request is refused as a whole', async () => {
  const other = await startSample();
  try {
    other.switches.refusesWrites = { reason: 'the log is away', heals: true };
    const answer = await fetch(other.url + register, { method: 'POST', headers: ndjson, body: bike('O-1') });
    assert.equal(
      [answer.status, answer.headers.get('retry-after'), await answer.json()],
      [503, '1', { error: 'the log is away; try again in a moment' }],
    );
  } finally {
    await other.stop();
  }
});

test('a server that stops ends after the lines under way, and does not wait for the next one', async () => {
  const other = await startSample({ limits: { drainMilliseconds: 600_000 } });
  const [silent, begun] = [slowly(other.port, register), slowly(other.port, register)];
  begun.write(`${bike('Q-1')}\n`);
  await begun.until(/"Q-1"/);
  const stopped = other.stop();
  const [{ text, whole }, refused] = await Promise.all([begun.answered, silent.answered]);
  assert.equal([whole, rowsOf(text).map(({ stream_id }) => stream_id)], [false, ['Q-1']]);
  assert.equal([refused.status, JSON.parse(refused.text)], [503, { error: 'the server is stopping' }]);
  await stopped;
});

test('an ordinary command is not behind thousands of lines, and none of them is refused because others wait', async () => {
  const other = await startSample({ limits: { waitingCommands: 8 } });
  try {
    const body = Array.from({ length: 3_000 }, (_, index) => bike(`P-${index}`)).join('\n');
    const many = fetch(other.url + register, { method: 'POST', headers: ndjson, body }).then((answer) => answer.text());
    const single = await other.post(rent, { bike_id: 'none', rider: 'r' });
    const before = other.engine.store.turns.position().entry;
    assert.is(single.status, 200);
    const rows = rowsOf(await many);
    assert.is(rows.filter(({ status }) => status === 'success').length, 3_000);
    assert.ok(before < 3_000, `it was answered after ${before} entries`);
  } finally {
    await other.stop();
  }
});

test('a posted block rules the next line', async () => {
  const other = await startSample({ services: true });
  try {
    const request = slowly(other.port, rent);
    const line = '{"bike_id":"B","rider":"r","note":"n"}\n';
    request.write(line);
    await request.until(/"line":1/);
    const lang = 'CREATE OR REPLACE COMMAND RentBike (bike_id STRING KEY, rider STRING, note STRING NULL);';
    assert.is((await other.post('/api/lang/create', { lang })).status, 201);
    request.end(line);
    assert.equal(brief(rowsOf((await request.answered).text)), [
      [1, 'error', 'B', null],
      [2, 'rejected', 'B', null],
    ]);
  } finally {
    await other.stop();
  }
});

test('a command that a posted block gives to another aggregate is an error, as its right is of the first one', async () => {
  const other = await startSample({ services: true });
  try {
    const request = slowly(other.port, rent);
    const line = '{"bike_id":"B","rider":"r"}\n';
    request.write(line);
    await request.until(/"line":1/);
    const lang =
      'CREATE OR REPLACE DECISION Rent FOR Dock ON COMMAND RentBike EMIT AS SELECT EVENT BikeRented(rider := :rider);';
    assert.is((await other.post('/api/lang/create', { lang })).status, 201);
    request.end(line);
    const rows = rowsOf((await request.answered).text);
    assert.equal(
      [brief(rows), errorsOf(rows)],
      [
        [
          [1, 'rejected', 'B', null],
          [2, 'error', 'B', null],
        ],
        [[2, "command 'RentBike' is decided for aggregate 'Dock', not 'Bike'"]],
      ],
    );
  } finally {
    await other.stop();
  }
});

test('a token that expires is one error and ends the request', async () => {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const folder = freshFolder();
  const jwks = join(folder, 'jwks.json');
  await writeFile(jwks, JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: 'k' }] }));
  let clock = 1_700_000_000_000;
  const jwt = { jwks, issuer: 'us', audience: 'schemac', algorithms: ['ES256'], rolesClaim: 'roles' };
  const auth = { tokens: [], jwt, roles: { clerk: ['execute:Bike.*'] } };
  const other = await startSample({ settings: { auth }, now: () => clock });
  try {
    const claims = { iss: 'us', aud: 'schemac', exp: clock / 1000 + 30, roles: ['clerk'] };
    const token = await new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'k' }).sign(privateKey);
    const request = slowly(other.port, register, { ...ndjson, Authorization: `Bearer ${token}` });
    request.write(`${bike('J-1')}\n`);
    await request.until(/"J-1"/);
    clock += 120_000;
    request.write(`${bike('J-2')}\n${bike('J-3')}\n`);
    const { text, whole } = await request.answered;
    assert.equal(
      [whole, brief(rowsOf(text)), errorsOf(rowsOf(text))],
      [
        false,
        [
          [1, 'success', 'J-1', 1],
          [2, 'error', null, null],
        ],
        [[2, 'the bearer token has expired']],
      ],
    );
    assert.equal(
      other.lines.filter(({ denied }) => denied !== undefined).map(({ message, denied }) => [message, denied]),
      [['audit', 'expired']],
    );
  } finally {
    await other.stop();
  }
});

test('a policy that takes the right away is one error and ends the request; another one changes nothing', async () => {
  const tokens = [{ sha256: createHash('sha256').update('t').digest('hex'), subject: 'me', roles: ['clerk'] }];
  const roles = { clerk: ['execute:Bike.*'] };
  const other = await startSample({ settings: { auth: { tokens, roles } } });
  try {
    const request = slowly(other.port, register, { ...ndjson, Authorization: 'Bearer t' });
    request.write(`${bike('J-1')}\n`);
    await request.until(/"J-1"/);
    await other.server.replacePolicy({ tokens, roles: { clerk: ['execute:Bike.RegisterBike', 'read:*'] } });
    request.write(`${bike('J-2')}\n`);
    await request.until(/"J-2"/);
    await other.server.replacePolicy({ tokens, roles: { clerk: ['execute:Bike.RentBike'] } });
    request.write(`${bike('J-3')}\n${bike('J-4')}\n`);
    const { text, whole } = await request.answered;
    assert.equal(
      [whole, brief(rowsOf(text)), errorsOf(rowsOf(text))],
      [
        false,
        [
          [1, 'success', 'J-1', 1],
          [2, 'success', 'J-2', 1],
          [3, 'error', null, null],
        ],
        [[3, "this needs the right 'execute:Bike.RegisterBike'"]],
      ],
    );
    assert.equal(
      other.lines.filter(({ denied }) => denied !== undefined).map(({ message, denied }) => [message, denied]),
      [['audit', 'execute:Bike.RegisterBike']],
    );
  } finally {
    await other.stop();
  }
});

test.run();
