import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { root } from '../kit/tool.ts';
import { follow } from './follow.ts';
import { walkthroughOf } from './walkthrough.ts';

/** `SCHEMAC_UPDATE=1` writes the actual output into the page, to be reviewed before it is kept. */
const update = process.env['SCHEMAC_UPDATE'] === '1';

/**
 * Pages that people follow first: they are followed with the tool as it is installed. Others start it too often for that: 20 s for the
 * tutorial alone.
 */
const firstRead: readonly string[] = ['README.md'];

/** Makes a test of a page, by its path from the root: its commands must give the output on the page. A page without commands makes none. */
export function holdPage(path: string): void {
  const page = readFileSync(join(root, path), 'utf8');
  const walkthrough = walkthroughOf(page);
  if (walkthrough.steps.every((step) => step.kind === 'file' || step.kind === 'stop')) return;
  // Pages are followed with the programs of their readers; if one is missing, the test is skipped.
  const missing = ['curl', 'python3'].some((name) => page.includes(`$ ${name}`) && !has(name));
  const run = missing ? test.skip : test;
  run(`${path} can be followed`, async () => {
    const surprises = await follow(walkthrough, firstRead.includes(path) ? 'built' : 'here');
    if (update) writeFileSync(join(root, path), withOutputs(page, surprises));
    else
      for (const { command, actual } of surprises)
        assert.fixture(actual, command.output, `${path}, line ${command.from}: ${command.text}`);
  });
}

function has(command: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${command}`]);
    return true;
  } catch {
    return false;
  }
}

function withOutputs(page: string, surprises: Awaited<ReturnType<typeof follow>>): string {
  const lines = page.split('\n');
  for (const { command, actual } of [...surprises].reverse()) {
    const prompted = lines.slice(command.from, command.to).filter((line) => /^(schemac| {6}-)> /.test(line));
    lines.splice(command.from, command.to - command.from, ...prompted, ...actual.split('\n').slice(0, -1));
  }
  return lines.join('\n');
}
