/** The language server on 1,000 blocks in 50 files: from a keystroke to its diagnostics, completion, hover, the start, and memory. */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { blocksOf, largeSchema } from '../large-schema.ts';
import { median } from '../measure.ts';
import { report } from '../report.ts';
import { toolOf } from '../tool.ts';

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly uri: string; readonly version?: number };
}

interface Talk {
  readonly child: ChildProcessWithoutNullStreams;
  readonly say: (method: string, params: object, id?: number) => void;
  readonly heard: (matches: (message: Message) => boolean) => Promise<void>;
}

/** Frames and unframes messages; nothing else, so that the client costs little. */
function talkTo(tool: string): Talk {
  const child = spawn(process.execPath, [tool, 'lsp', '--stdio']);
  let buffer = Buffer.alloc(0);
  let waiting: { readonly matches: (message: Message) => boolean; readonly resolve: () => void } | undefined;
  child.stdout.on('data', (chunk: Buffer) => {
    buffer = Buffer.concat([buffer, chunk]);
    for (;;) {
      const head = buffer.indexOf('\r\n\r\n');
      const length = Number(
        /Content-Length: (\d+)/.exec(buffer.toString('latin1', 0, Math.max(0, head)))?.[1] ?? Number.NaN,
      );
      if (head < 0 || !(buffer.length >= head + 4 + length)) return;
      const message = JSON.parse(buffer.toString('utf8', head + 4, head + 4 + length)) as Message;
      buffer = buffer.subarray(head + 4 + length);
      if (waiting?.matches(message) === true) waiting.resolve();
    }
  });
  return {
    child,
    say: (method, params, id) => {
      const body = JSON.stringify({ jsonrpc: '2.0', method, params, ...(id === undefined ? {} : { id }) });
      child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
    },
    heard: (matches) => new Promise((resolve) => (waiting = { matches, resolve })),
  };
}

function p95(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? Number.NaN;
}

/** ms of processor time of the process, all threads; in the steps of the kernel's clock, 10 ms. */
function processorTimeOf(pid: number | undefined): number {
  const [, fields = ''] = readFileSync(`/proc/${pid ?? 0}/stat`, 'utf8').split(') ');
  const [user, system] = fields.split(' ').slice(11, 13);
  return (Number(user) + Number(system)) * 10;
}

/** MiB of the process. */
function memoryOf(pid: number | undefined): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid ?? 0}/status`, 'utf8'))?.[1] ?? Number.NaN) / 1024;
}

await report(async ({ root, folder, quick }) => {
  const aggregates = quick ? 10 : 100;
  const parts = largeSchema(aggregates).split(/(?=CREATE AGGREGATE)/);
  mkdirSync(join(folder, 'schema'));
  writeFileSync(join(folder, 'schemac.config.json'), '{ "schema": ["schema"] }');
  const size = Math.ceil(parts.length / 50);
  for (let file = 0; file * size < parts.length; file++)
    writeFileSync(join(folder, `schema/f${file}.schema`), parts.slice(file * size, (file + 1) * size).join(''));
  const path = join(folder, 'schema/f0.schema');
  const uri = pathToFileURL(path).href;
  const text = readFileSync(path, 'utf8');
  const line = text.slice(0, text.indexOf('last_event IS NOT NULL')).split('\n').length - 1;
  const character = (text.split('\n')[line] ?? '').indexOf(':amount > 0') + ':amount > '.length;
  const place = { textDocument: { uri }, position: { line, character } };

  const start = async (): Promise<{ readonly talk: Talk; readonly took: number; readonly cpu: number }> => {
    const began = performance.now();
    const talk = talkTo(toolOf(root));
    talk.say('initialize', { processId: process.pid, capabilities: {} }, 1);
    await talk.heard(({ id }) => id === 1);
    talk.say('initialized', {});
    talk.say('textDocument/didOpen', { textDocument: { uri, languageId: 'schemac', version: 1, text } });
    await talk.heard(({ params }) => params?.uri === uri);
    return { talk, took: performance.now() - began, cpu: processorTimeOf(talk.child.pid) };
  };
  const [starts, startTimes]: [number[], number[]] = [[], []];
  for (let round = 0; round < (quick ? 1 : 3); round++) {
    const { talk, took, cpu } = await start();
    starts.push(took);
    startTimes.push(cpu);
    talk.child.kill();
  }
  const { talk } = await start();
  let version = 1;
  let digit = 0;
  /** Changes the number in a guard that a decision of the file has. */
  const edit = (): void => {
    digit = (digit + 1) % 10;
    const range = { start: place.position, end: { line, character: character + 1 } };
    version += 1;
    talk.say('textDocument/didChange', {
      textDocument: { uri, version },
      contentChanges: [{ range, text: String(digit) }],
    });
  };
  const keystroke = async (): Promise<number> => {
    const began = performance.now();
    edit();
    await talk.heard(({ params }) => params?.uri === uri && params.version === version);
    return performance.now() - began;
  };
  let id = 10;
  const asked = async (method: string): Promise<number> => {
    const began = performance.now();
    const own = ++id;
    talk.say(method, place, own);
    await talk.heard((message) => message.id === own);
    return performance.now() - began;
  };
  const edits = quick ? 20 : 1000;
  const [changes, completions, hovers]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < edits; round++) {
    changes.push(await keystroke());
    completions.push(await asked('textDocument/completion'));
    // The first one after an edit, for which the names are collected.
    if (round % 10 === 0) hovers.push(await asked('textDocument/hover'));
  }
  const memory = memoryOf(talk.child.pid);
  const before = processorTimeOf(talk.child.pid);
  for (let round = 0; round < edits / 10; round++) await keystroke();
  const keystrokeTime = (processorTimeOf(talk.child.pid) - before) / (edits / 10);
  const beforeHovers = processorTimeOf(talk.child.pid);
  for (let round = 0; round < edits / 10; round++) {
    await keystroke();
    await asked('textDocument/hover');
  }
  const hoverTime = Math.max(0, (processorTimeOf(talk.child.pid) - beforeHovers) / (edits / 10) - keystrokeTime);
  // Ten at a time, as they come when the server is busy.
  for (let burst = 0; burst < (edits * 8) / 10; burst++) {
    for (let each = 0; each < 9; each++) edit();
    await keystroke();
  }
  const growth = memoryOf(talk.child.pid) / memory;
  talk.child.kill();
  const blocks = blocksOf(aggregates).toLocaleString('en');
  return [
    {
      name: `editor, ${blocks} blocks: keystroke to diagnostics, p95`,
      unit: 'ms',
      goal: { at: 'most', value: 100 },
      value: p95(changes.slice(5)),
    },
    {
      name: 'editor: keystroke to diagnostics, processor time',
      unit: 'ms',
      goal: { at: 'most', value: 100 },
      value: keystrokeTime,
    },
    { name: 'editor: completion, p95', unit: 'ms', goal: { at: 'most', value: 30 }, value: p95(completions.slice(5)) },
    { name: 'editor: hover, p95', unit: 'ms', goal: { at: 'most', value: 10 }, value: p95(hovers) },
    {
      name: 'editor: first hover after an edit, processor time',
      unit: 'ms',
      goal: { at: 'most', value: 10 },
      value: hoverTime,
    },
    {
      name: 'editor: start to first diagnostics',
      unit: 'ms',
      goal: { at: 'most', value: 1000 },
      value: median(starts),
    },
    {
      name: 'editor: start to first diagnostics, processor time',
      unit: 'ms',
      goal: { at: 'most', value: 1000 },
      value: median(startTimes),
    },
    { name: `editor: memory after ${edits} edits`, unit: 'MiB', goal: { at: 'most', value: 250 }, value: memory },
    {
      name: `editor: memory after ${edits * 10} edits, by that after ${edits}`,
      unit: 'times',
      goal: { at: 'most', value: 1.2 },
      value: growth,
    },
  ];
});
