/**
 * This package as a `.tgz`, as `npm pack` makes it, without npm and without what only its developers need. Takes the folder of the package; gives its bytes, the same for the same files.
 */
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { environmentFault } from '../exit-fault.ts';

/** Files that npm packs in addition to the `files` of the manifest. */
const always = ['LICENSE', 'README.md', 'package.json'];

/** npm's time for every file: 26 October 1985. */
const seconds = 499_162_500;
const blockBytes = 512;

export function packageArchive(own: string): Uint8Array {
  const manifest = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8')) as Manifest;
  const { files = [], bin } = manifest;
  const program = Object.values(bin ?? {})[0] ?? '';
  const paths = [...always, ...files].flatMap((path) => filesAt(own, path)).sort();
  if (!paths.includes(program)) throw environmentFault(`${own} has not been built; run 'npm run build' there first`);
  const blocks = paths.flatMap((path) => {
    const bytes = path === 'package.json' ? installed(manifest) : readFileSync(join(own, path));
    return entry(path, bytes, path === program ? 0o755 : 0o644);
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(2 * blockBytes)]));
}

interface Manifest {
  readonly files?: readonly string[];
  readonly bin?: Readonly<Record<string, string>>;
  readonly scripts?: unknown;
  readonly devDependencies?: unknown;
}

/** The manifest of an installed package: npm would ask whether its scripts may run. */
function installed({ scripts: _scripts, devDependencies: _development, ...manifest }: Manifest): Buffer {
  return Buffer.from(`${JSON.stringify(manifest, undefined, 2)}\n`);
}

/** The files at or below a path of the package, with `/`. */
function filesAt(own: string, path: string): readonly string[] {
  const found = statSync(join(own, path), { throwIfNoEntry: false });
  if (found === undefined) return [];
  if (!found.isDirectory()) return [path];
  return readdirSync(join(own, path)).flatMap((name) => filesAt(own, `${path}/${name}`));
}

/** A header and the bytes, filled up to whole blocks (POSIX.1-1988, ustar). */
function entry(path: string, bytes: Buffer, mode: number): readonly Buffer[] {
  const header = Buffer.alloc(blockBytes);
  const { prefix, name } = splitPath(`package/${path}`);
  header.write(name, 0);
  writeOctal(header, 100, 8, mode);
  writeOctal(header, 108, 8, 0); // owner and group: of the person who unpacks it
  writeOctal(header, 116, 8, 0);
  writeOctal(header, 124, 12, bytes.length);
  writeOctal(header, 136, 12, seconds);
  header.write(' '.repeat(8), 148);
  header.write('0', 156); // an ordinary file
  header.write('ustar\u000000', 257);
  header.write(prefix, 345);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\u0000 `, 148);
  return [header, bytes, Buffer.alloc((blockBytes - (bytes.length % blockBytes)) % blockBytes)];
}

function writeOctal(header: Buffer, at: number, length: number, value: number): void {
  header.write(`${value.toString(8).padStart(length - 1, '0')}\u0000`, at);
}

/** A name has at most 100 bytes; the folders before it go into the prefix. */
function splitPath(path: string): { readonly prefix: string; readonly name: string } {
  if (Buffer.byteLength(path) <= 100) return { prefix: '', name: path };
  const at = path.indexOf('/', path.length - 101);
  return { prefix: path.slice(0, at), name: path.slice(at + 1) };
}
