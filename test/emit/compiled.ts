import { compileFiles } from '../../compiler/compile.ts';
import type { Catalog } from '../../language/catalog/catalog.ts';
import { emitProject } from '../../compiler/emit/project/emit-project.ts';
import type { GeneratedFile } from '../../compiler/emit/project/generated-file.ts';
import type { Domain } from '../../language/contract/domain.ts';
import { createDomainLoader } from '../../server/registry/load/domain-loader.ts';
import { withTempFolder } from '../kit/temp-folder.ts';

/** The catalog of a text's blocks; an error of the compiler fails the test. */
export function catalogOf(text: string): Catalog {
  const { catalog, problems } = compileText(text);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return catalog;
}

/** The catalog, and the errors as `code message`. */
export function compileText(text: string): { readonly catalog: Catalog; readonly problems: readonly string[] } {
  const { catalog, diagnostics } = compileFiles([{ name: 'test.schema', text }]);
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  return { catalog, problems: errors.map(({ code, message }) => `${code} ${message}`) };
}

const options = { version: '0.0.0', exportText: '-- the registry\n' };

export function projectOf(text: string): Promise<readonly GeneratedFile[]> {
  return emitProject(catalogOf(text), options);
}

/** The domain of a text, generated, written and imported as a run does it. */
export function withDomain<T>(text: string, work: (domain: Domain) => T | Promise<T>): Promise<T> {
  return withTempFolder(async (folder) => {
    return work(await createDomainLoader({ directory: folder, version: '0.0.0' }).load(catalogOf(text)));
  });
}
