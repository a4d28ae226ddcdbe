import type { PrintedFunction } from './expression-printer.ts';
import type { FunctionPart, Statement } from './module.ts';
import type { Imports } from './imports.ts';
import { mentions } from './mentions.ts';

/** The functions of the schema that a module calls, as its own functions. */
export function functionParts(printed: readonly PrintedFunction[], runtime: Imports): readonly FunctionPart[] {
  return printed.map(({ name, documentation, parameters, returns, value }) => {
    const body: readonly Statement[] = [{ kind: 'code', code: ['return ', value, ';'] }];
    if (mentions(body, 'sql')) runtime.value('sql');
    return { kind: 'function', exported: false, name, documentation, parameters, returns, body };
  });
}
