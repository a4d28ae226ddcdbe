import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isBlockStatement, parseScript } from '../../compiler/index.ts';

/** The file that keeps posted blocks, so that the schema files stay the whole truth: beside or in the first path. */
export function createdFile(cwd: string, [first = '.']: readonly string[]): string {
  const path = resolve(cwd, first);
  return join(statSync(path).isDirectory() ? path : dirname(path), 'created.schema');
}

/** The text of the file with these blocks as CREATE OR REPLACE; an earlier text of the same block goes. */
export function withBlocks(
  text: string,
  blocks: readonly { readonly block: string; readonly name: string; readonly text: string }[],
): string {
  const file = { name: 'created.schema', text };
  const put = new Set(blocks.map(({ block, name }) => `${block} ${name}`));
  const kept = parseScript(file).statements.flatMap(({ statement, textSpan }) => {
    const replaced =
      statement !== undefined &&
      isBlockStatement(statement) &&
      put.has(`${kindOf(statement.kind)} ${statement.name.text}`);
    return replaced ? [] : [text.slice(textSpan.start, textSpan.end)];
  });
  const added = blocks.map((block) => block.text.replace(/^CREATE (?!OR REPLACE)/i, 'CREATE OR REPLACE '));
  return [...kept, ...added].map((each) => `${each}\n`).join('\n');
}

/** Writes blocks into the file. It is replaced as a whole, so that nobody reads half of it. */
export function keepBlocks(file: string, blocks: Parameters<typeof withBlocks>[1]): void {
  if (blocks.length === 0) return;
  const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const temporary = `${file}.${process.pid}.tmp`;
  writeFileSync(temporary, withBlocks(before, blocks));
  renameSync(temporary, file);
}

/** `CreateEventStore` is an `eventstore`. */
function kindOf(statement: string): string {
  return statement.replace(/^Create/, '').toLowerCase();
}
