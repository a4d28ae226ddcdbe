import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from '../version.ts';
import { uriOfPath } from './file-uri.ts';

let places: ReadonlyMap<string, string> | undefined;

/** The address of a code's row in the page of all codes, as editors open a line of a file. Undefined where the package has no documentation. */
export function addressOfCode(code: string): string | undefined {
  places ??= readPlaces(join(packageFolder(), 'docs/codes.md'));
  return places.get(code);
}

function readPlaces(path: string): ReadonlyMap<string, string> {
  if (!existsSync(path)) return new Map();
  const lines = readFileSync(path, 'utf8').split('\n');
  return new Map(
    lines.flatMap((line, index): [string, string][] => {
      const code = /^\| <a id="\w+"><\/a>(\w+) /.exec(line)?.[1];
      return code === undefined ? [] : [[code, `${uriOfPath(path)}#L${index + 1}`]];
    }),
  );
}
