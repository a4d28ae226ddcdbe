import { fail } from '../../../language/failure/failure.ts';

export const defaultNamespace = 'schemac';

/** Where an import is until it is complete. */
export function importNamespace(namespace: string): string {
  return `importing_${namespace}`;
}

/** Names of namespaces are accepted by their form and never rewritten: statements and the name of a channel are made of them. */
export function checkNamespace(name: string, most = 40): string {
  if (/^[a-z_][a-z0-9_]*$/.test(name) && name.length <= most && !name.startsWith('pg_')) return name;
  throw fail('R0501', {
    store: 'durable.namespace',
    problem: `${JSON.stringify(name)} is not 1 to ${most} small letters, digits and underscores, with a letter first, and not pg_…`,
  });
}
