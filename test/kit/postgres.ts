import { PGlite, type PGliteOptions } from '@electric-sql/pglite';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './tool.ts';

const { version } = JSON.parse(
  readFileSync(join(root, 'test/node_modules/@electric-sql/pglite/package.json'), 'utf8'),
) as {
  readonly version: string;
};
const folder = join(root, 'node_modules/.cache/schemac');
const image = join(folder, `postgres-${version}.tar`);

/** A PostgreSQL in this process with nothing in it. Making one takes 6 s of processor time, so the first is kept as an image, from which others start in one. */
export async function openPostgres(options: PGliteOptions = {}): Promise<PGlite> {
  if (!existsSync(image)) await keepImage();
  return PGlite.create({ ...options, loadDataDir: new Blob([readFileSync(image)]) });
}

/** Keeps the image by a rename, so that another suite never reads half of it. */
async function keepImage(): Promise<void> {
  const fresh = await PGlite.create();
  const dumped = await fresh.dumpDataDir('none');
  await fresh.close();
  mkdirSync(folder, { recursive: true });
  const unfinished = `${image}-${process.pid}`;
  writeFileSync(unfinished, Buffer.from(await dumped.arrayBuffer()));
  renameSync(unfinished, image);
}
