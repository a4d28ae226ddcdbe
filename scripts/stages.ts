/**
 * Which modules of the package are loaded together. Each file costs Node a part of a millisecond to find, read and link, and a bundler that splits at
 * every dynamic import makes hundreds of small ones: a short command loaded 133. A process of the tool loads its modules in a few stages, each
 * when it is needed; the modules that belong to the same stages go into one file.
 */
import { join, relative } from 'node:path';
import type { Metafile, OnResolveArgs, OnResolveResult, Plugin, PluginBuild } from 'esbuild';

/** The modules at which each stage begins: the stage is everything that they import statically. */
const stages: readonly (readonly string[])[] = [
  ['cli/main.ts'],
  [
    'compiler/index.ts',
    'compiler/emit/print/print-typescript.ts',
    'language/diagnostics/render.ts',
    'cli/commands/check.ts',
    'cli/commands/build.ts',
  ],
  ['runtime/store/tables/thread/worker.ts'],
  ['runtime/store/memory-store.ts', 'cli/commands/run.ts'],
  ['server/session/open-session.ts', 'server/start/locate-store.ts', 'server/start/settings/limits.ts'],
  // A server answers /health before it loads the rest.
  [
    'server/index.ts',
    'server/start/serve-domain.ts',
    'server/start/starting.ts',
    'server/http/log/log.ts',
    'cli/commands/start.ts',
  ],
  // Parts that need the compiler come after its first answer with data.
  [
    'server/start/serve-store.ts',
    'server/http/listening/start-http.ts',
    'runtime/store/embedded/embedded-store.ts',
    'runtime/arrow/encode-table.ts',
    'runtime/arrow/arrow-stream.ts',
    'runtime/arrow/followed-stream.ts',
  ],
  ['server/start/registry-services.ts'],
  ['cli/open-api.ts'],
  ['cli/commands/explain.ts'],
  ['cli/lsp/serve-language.ts'],
];

/** Modules that are a file of the bundle, by the name of the group. */
type Groups = ReadonlyMap<string, readonly string[]>;

/** Modules and what they import, as a bundle of the same entries without this plugin lists them; paths from `root`. */
type Inputs = Metafile['inputs'];

/**
 * Makes one file of the modules of each group. A bundler puts modules into the same file when the same entries reach them, so each entry,
 * which is also every dynamic import, gets a module around it that imports the whole of each group that the entry reaches a part of. A
 * module that `begins` a process or a thread when it is loaded is in no group.
 */
export function loadTogether(root: string, inputs: Inputs, begins: ReadonlySet<string>): Plugin {
  const groups = groupsOf(inputs, begins);
  const groupOf = new Map([...groups].flatMap(([group, paths]) => paths.map((path) => [path, group] as const)));
  /** With a group comes all that its modules import, so their groups too. */
  const reached = (path: string): ReadonlySet<string> => {
    const found = new Set<string>();
    const waiting = [path];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
      for (const group of new Set([...importsOf(inputs, next)].flatMap((each) => groupOf.get(each) ?? []))) {
        if (!found.has(group)) waiting.push(...(groups.get(group) ?? []));
        found.add(group);
      }
    return found;
  };
  return {
    name: 'load-together',
    setup: (building) => {
      building.onResolve({ filter: /./ }, (asked) => aroundEntry(building, root, inputs, asked));
      building.onLoad({ filter: /./, namespace: 'around-entry' }, ({ path }) => ({
        contents: aroundText(path, reached(relative(root, path))),
        resolveDir: root,
      }));
      building.onResolve({ filter: /^group:/ }, ({ path }) => ({ path, namespace: 'group' }));
      building.onLoad({ filter: /./, namespace: 'group' }, ({ path }) => ({
        contents: (groups.get(path) ?? []).map((each) => importing(join(root, each))).join('\n'),
        resolveDir: root,
      }));
    },
  };
}

/** The module around an entry of the package. Imports from it get the entry itself. */
async function aroundEntry(
  building: PluginBuild,
  root: string,
  inputs: Inputs,
  { path, kind, namespace, importer, resolveDir, pluginData }: OnResolveArgs,
): Promise<OnResolveResult | undefined> {
  const begins = kind === 'dynamic-import' || kind === 'entry-point';
  if (!begins || namespace === 'around-entry' || pluginData === 'itself') return undefined;
  const found = await building.resolve(path, { kind: 'import-statement', importer, resolveDir, pluginData: 'itself' });
  const isOwn = inputs[relative(root, found.path)] !== undefined && !isThirdParty(found.path);
  return isOwn && !found.external ? { path: found.path, namespace: 'around-entry' } : undefined;
}

function aroundText(entry: string, groups: ReadonlySet<string>): string {
  const start = entry.endsWith('cli/main.ts') ? '#!/usr/bin/env node\n' : '';
  return `${start}export * from ${JSON.stringify(entry)};\n${[...groups].map(importing).join('\n')}`;
}

function importing(path: string): string {
  return `import ${JSON.stringify(path)};`;
}

/** A file costs a process about as much as compiling this number of further bytes of sources. */
const worthOfFile = 24 * 1024;

/** Modules of other packages, and data, follow the modules of this package that import them; nothing says that importing them alone keeps them. */
function groupsOf(inputs: Inputs, begins: ReadonlySet<string>): Groups {
  const reached = stages.map((entries) => new Set(entries.flatMap((entry) => [...importsOf(inputs, entry)])));
  const groups = new Map<string, readonly string[]>();
  for (const path of Object.keys(inputs)) {
    const of = reached.flatMap((paths, stage) => (paths.has(path) ? [stage] : []));
    if (of.length === 0 || isThirdParty(path) || path.endsWith('.json') || begins.has(path)) continue;
    const group = `group:${of.join()}`;
    groups.set(group, [...(groups.get(group) ?? []), path]);
  }
  return withoutSmall(groups, inputs);
}

/**
 * Puts a group that is smaller than a file is worth into one of its stages and some others, if these load everything that it imports in any
 * case: modules that need the small group load the other one anyway, and the others only get the few bytes of the small one.
 */
function withoutSmall(groups: Map<string, readonly string[]>, inputs: Inputs): Groups {
  const groupOf = new Map([...groups].flatMap(([group, paths]) => paths.map((path) => [path, group] as const)));
  const bytes = (paths: readonly string[]): number => paths.reduce((sum, path) => sum + (inputs[path]?.bytes ?? 0), 0);
  for (;;) {
    const found = [...groups]
      .filter(([, paths]) => bytes(paths) <= worthOfFile)
      .flatMap(([group, paths]) => {
        const imported = new Set(paths.flatMap((path) => staticImports(inputs, path)).map((path) => groupOf.get(path)));
        const [host] = [...groups.keys()]
          .filter((host) => host !== group && isPartOf(group, host))
          .filter((host) =>
            [...imported].every((each) => each === group || (each !== undefined && isPartOf(host, each))),
          )
          .sort((one, other) => stagesOf(one).length - stagesOf(other).length);
        return host === undefined ? [] : [{ group, paths, host }];
      });
    const [first] = found.sort((one, other) => bytes(one.paths) - bytes(other.paths));
    if (first === undefined) return groups;
    const { group, paths, host } = first;
    groups.set(host, [...(groups.get(host) ?? []), ...paths]);
    groups.delete(group);
    for (const path of paths) groupOf.set(path, host);
  }
}

function stagesOf(group: string): readonly string[] {
  return group.slice('group:'.length).split(',');
}

/** Whether what loads the first group loads the second too. */
function isPartOf(group: string, other: string): boolean {
  return stagesOf(group).every((stage) => stagesOf(other).includes(stage));
}

/** A module and everything that it imports statically. */
function importsOf(inputs: Inputs, entry: string): ReadonlySet<string> {
  if (inputs[entry] === undefined) throw new Error(`the bundle has no module '${entry}'`);
  const seen = new Set<string>();
  const waiting = [entry];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (inputs[path] === undefined || seen.has(path)) continue;
    seen.add(path);
    waiting.push(...staticImports(inputs, path));
  }
  return seen;
}

function staticImports(inputs: Inputs, path: string): readonly string[] {
  return (inputs[path]?.imports ?? [])
    .filter(({ kind, external }) => kind !== 'dynamic-import' && external !== true)
    .map((each) => each.path);
}

function isThirdParty(path: string): boolean {
  return path.includes('node_modules');
}
