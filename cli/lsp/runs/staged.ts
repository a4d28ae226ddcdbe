import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SourceFile } from '../../../compiler/index.ts';

/** The folder with the files of the schema. */
export const stagedSchema = 'blocks';

/**
 * A folder of its own with the files of a schema as they are in the editor, saved or not, and one more file; removed afterwards. Readable by this
 * user only: texts may hold secrets.
 */
export async function withStaged<T>(
  sources: readonly SourceFile[],
  more: { readonly name: string; readonly text: string },
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'schemac-lsp-'));
  try {
    await mkdir(join(folder, stagedSchema));
    const width = String(sources.length).length;
    // In the order of the compilation.
    for (const [index, { text }] of sources.entries())
      await writeFile(join(folder, stagedSchema, `${String(index).padStart(width, '0')}.schema`), text, {
        mode: 0o600,
      });
    await writeFile(join(folder, more.name), more.text, { mode: 0o600 });
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
