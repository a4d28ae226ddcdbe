import { execFileSync } from 'node:child_process';

/** The paths, from `root`, that differ from the last commit or are unknown to git. */
export function changedPaths(root: string): readonly string[] {
  const git = (...words: string[]): string[] =>
    execFileSync('git', words, { cwd: root, encoding: 'utf8' })
      .split('\0')
      .filter((path) => path !== '');
  return [
    ...git('diff', '--name-only', '-z', '--relative', 'HEAD'),
    ...git('ls-files', '--others', '--exclude-standard', '-z'),
  ];
}

/** Folders whose plain files are read by suites of other folders. */
const readers: readonly (readonly [prefix: string, suites: readonly string[]])[] = [
  ['docs/', ['test/docs/', 'test/functions/']],
  ['README.md', ['test/docs/']],
  ['examples/', ['test/examples/', 'test/docs/', 'test/cli/']],
  ['client/', ['test/client/', 'test/agreement/', 'test/cli/remote.test.ts']],
  ['templates/', ['test/emit/', 'test/cli/', 'test/examples/']],
];
/** Files that decide how every suite is built and run. */
const shared = /^(package(-lock)?\.json|tsconfig(\.build)?\.json|scripts\/(bundle|test)\.ts)$/;
/** Suites with this module start the tool as a process, and so depend on all of its sources. */
const toolModule = 'test/kit/tool.ts';
const toolSources = /^(cli|client|compiler|language|runtime|server|templates)\//;

/**
 * The suites that depend on the paths: those whose sources include one of them, those next to a changed plain file, and for the sources of
 * the tool those that start it; all of them where a path decides how they are built. `sources` has each suite's sources, as the bundler saw them.
 */
export function concernedSuites(
  paths: readonly string[],
  suites: readonly string[],
  sources: ReadonlyMap<string, ReadonlySet<string>>,
): readonly string[] {
  if (paths.some((path) => shared.test(path))) return suites;
  return suites.filter((suite) => paths.some((path) => concerns(path, suite, sources.get(suite) ?? new Set())));
}

function concerns(path: string, suite: string, read: ReadonlySet<string>): boolean {
  if (read.has(path)) return true;
  if (toolSources.test(path) && read.has(toolModule)) return true;
  if (path.endsWith('.ts') && !path.includes('/cases/')) return false;
  const isBeside = path.startsWith(suite.slice(0, suite.lastIndexOf('/') + 1));
  return (
    isBeside || readers.some(([prefix, suites]) => path.startsWith(prefix) && suites.some((to) => suite.startsWith(to)))
  );
}
