import { compileFiles } from '../../compiler/index.ts';
import type { Domain } from '../../language/contract/domain.ts';
import { createDomainLoader } from '../../server/registry/load/domain-loader.ts';

/** The domain of a schema text, generated and imported for real. */
export async function domainOf(text: string): Promise<Domain> {
  const { catalog, diagnostics } = compileFiles([{ name: 'test.schema', text }]);
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new Error(errors.map(({ code, message }) => `${code} ${message}`).join('\n'));
  return createDomainLoader({ version: '0.0.0' }).load(catalog);
}
