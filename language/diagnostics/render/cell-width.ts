import { createRequire } from 'node:module';
import type stringWidth from 'string-width';

let measure: typeof stringWidth | undefined;

/**
 * The cells that a text takes on a terminal. The library that knows wide characters compiles large patterns when it is loaded, so it is
 * loaded for the first text that is not plain ASCII.
 */
export function cellWidth(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  measure ??= (createRequire(import.meta.url)('string-width') as { default: typeof stringWidth }).default;
  return measure(text);
}
