import { compileFunction } from 'node:vm';
import * as supplied from '../../../runtime/generated/supplied.ts';

/** Loads the definition of an emitted loadable module. No file is written: `path` only names the module in the stack of an error. */
export function loadText({ path, text }: { readonly path: string; readonly text: string }): unknown {
  const module: { exports?: unknown } = {};
  const run = compileFunction(text, ['module'], { filename: path }) as (given: typeof module) => void;
  run(module);
  return definitionOf(module.exports);
}

/** Makes the definition of a loadable module with these exports. */
export function definitionOf(exports: unknown): unknown {
  const make = exports as (given: typeof supplied) => unknown; // `emitModules` documents its text
  return make(supplied);
}
