/**
 * The packages that users install with this one, and their licences: from the lock file, so as `npm ci` installs them. `npm run sbom`
 * writes `sbom.cdx.json`; the table is in `docs/licences.md`.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
export const sbomPath = join(root, 'sbom.cdx.json');

export interface InstalledPackage {
  readonly name: string;
  readonly version: string;
  /** SPDX; `none` where the package names none. */
  readonly licence: string;
}

interface LockEntry {
  readonly version?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
}

/** Licences that permit the same as Apache-2.0, with attribution as the only condition. */
export const allowedLicences: readonly string[] = ['0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'ISC', 'MIT'];

/** Every package of an installation without development, by name and version. */
export function installedPackages(): readonly InstalledPackage[] {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, LockEntry>>;
  };
  return Object.entries(lock.packages)
    .filter(([path, entry]) => path !== '' && entry.dev !== true && entry.devOptional !== true)
    .map(([path, { version = '', license }]) => ({
      name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version,
      licence: license ?? 'none',
    }))
    .sort((a, b) => (`${a.name}@${a.version}` < `${b.name}@${b.version}` ? -1 : 1));
}

/** Markdown rows, one per package. */
export function licenceTable(): string {
  const rows = installedPackages().map(({ name, version, licence }) => `| ${name} | ${version} | ${licence} |`);
  return ['| package | version | licence |', '|---|---|---|', ...rows, ''].join('\n');
}

interface Sbom {
  readonly serialNumber?: string;
  readonly metadata: Readonly<Record<string, unknown>> & { readonly component: object };
  readonly components: readonly { readonly name: string; readonly version: string }[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

/**
 * CycloneDX as npm writes it, without parts that differ each time. npm's own `--omit dev` omits packages that development and use share, so
 * it is run for all packages, and the lock file selects.
 */
function writeSbom(): void {
  const options = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'];
  const written = execFileSync('npm', options, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const { serialNumber: _, metadata, components, dependencies, ...sbom } = JSON.parse(written) as Sbom;
  const { timestamp: __, tools: ___, ...kept } = metadata;
  const refs = new Set(installedPackages().map(({ name, version }) => `${name}@${version}`));
  const own = dependencies.find(({ ref }) => ref.startsWith('schemac@'))?.ref ?? '';
  const steady = {
    ...sbom,
    metadata: { ...kept, component: { ...metadata.component, name: 'schemac' } },
    components: components.filter(({ name, version }) => refs.has(`${name}@${version}`)),
    dependencies: dependencies
      .filter(({ ref }) => ref === own || refs.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((name) => refs.has(name)) })),
  };
  writeFileSync(sbomPath, JSON.stringify(steady));
  execFileSync(process.execPath, [join(root, 'test/node_modules/oxfmt/bin/oxfmt'), sbomPath], { cwd: root });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeSbom();
