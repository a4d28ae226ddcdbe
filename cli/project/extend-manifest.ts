import { inputFault } from '../exit-fault.ts';

/** A `package.json` with its missing parts added, and their names; existing parts are unchanged. */
export interface ExtendedManifest {
  readonly text: string;
  readonly added: readonly string[];
}

type Members = Readonly<Record<string, unknown>>;

/** Adds missing parts of `init`'s own `package.json` to a project's: each script, dependency and engine by its name. */
export function extendManifest(existing: string, ours: string): ExtendedManifest {
  const own = readManifest(existing);
  const wanted = JSON.parse(ours) as Members;
  const added: string[] = [];
  const result: Record<string, unknown> = { ...own };
  for (const group of ['engines', 'scripts', 'dependencies']) {
    const before = members(own[group], group);
    const additions = Object.entries(members(wanted[group], group)).filter(
      ([name]) => isMissing(before[name]) && !isDevelopment(own, group, name),
    );
    if (additions.length === 0) continue;
    result[group] = { ...before, ...Object.fromEntries(additions) };
    added.push(...additions.map(([name]) => `${group}.${name}`));
  }
  return { text: `${JSON.stringify(result, undefined, 2)}\n`, added };
}

/** The range of a dependency of a `package.json`, for use or development. */
export function declaredDependency(text: string, name: string): unknown {
  const own = readManifest(text);
  return members(own['dependencies'], 'dependencies')[name] ?? members(own['devDependencies'], 'devDependencies')[name];
}

/** The test script of `npm init` only fails, so it counts as missing. */
function isMissing(value: unknown): boolean {
  return value === undefined || (typeof value === 'string' && value.includes('Error: no test specified'));
}

/** The package may also be a development dependency. */
function isDevelopment(own: Members, group: string, name: string): boolean {
  return group === 'dependencies' && members(own['devDependencies'], 'devDependencies')[name] !== undefined;
}

function readManifest(text: string): Members {
  try {
    return members(JSON.parse(text), 'package.json');
  } catch (error) {
    if (error instanceof SyntaxError) throw inputFault(`'package.json' is not JSON: ${error.message}`);
    throw error;
  }
}

function members(value: unknown, what: string): Members {
  if (value === undefined) return {};
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Members;
  throw inputFault(`${what === 'package.json' ? "'package.json'" : `'${what}' of package.json`} is not an object`);
}
