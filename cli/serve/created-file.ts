import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isBlockStatement, parseScript } from '../../compiler/index.ts';
import type { Store } from '../../runtime/store/store.ts';

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

/** Writes what was posted to a store after an entry into the file; gives the store's last entry. */
export async function keepPosted(store: Store, after: number, file: string): Promise<number> {
  const end = store.position().entry;
  const blocks: { block: string; name: string; text: string }[] = [];
  for await (const entry of store.read(after + 1)) {
    if (entry.kind !== 'schema' || entry.origin !== 'create') continue;
    for (const { block, name, text } of entry.changes) if (text !== undefined) blocks.push({ block, name, text });
  }
  if (blocks.length > 0) {
    const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
    writeFileSync(file, withBlocks(before, lastOfEach(blocks)));
  }
  return end;
}

function lastOfEach<T extends { readonly block: string; readonly name: string }>(blocks: readonly T[]): readonly T[] {
  return [...new Map(blocks.map((block) => [`${block.block} ${block.name}`, block])).values()];
}

/** `CreateEventStore` is an `eventstore`. */
function kindOf(statement: string): string {
  return statement.replace(/^Create/, '').toLowerCase();
}
