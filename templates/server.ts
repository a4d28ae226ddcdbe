import { callCode, objectCode } from './code.ts';
import type { ModuleFacts } from './module-facts.ts';
import type { ModuleStructure } from './module.ts';

export interface ServerParts extends ModuleFacts {
  readonly indexModule: string;
}

/** The entry that runs the generated server: `node generated/server.js --port 8080`. */
export function serverModule(parts: ServerParts): ModuleStructure {
  const options = objectCode([
    ['domain', 'domain'],
    ['module', 'import.meta.url'],
    ['arguments', 'process.argv.slice(2)'],
  ]);
  return {
    path: parts.path,
    head: parts.head,
    imports: [
      { from: 'schemac/runtime', types: false, names: [{ name: 'startServer' }] },
      { from: parts.indexModule, types: false, names: [{ name: 'domain' }] },
    ],
    parts: [
      { kind: 'statement', statement: { kind: 'code', code: ['await ', callCode('startServer', [options]), ';'] } },
    ],
  };
}
