import type { Catalog } from '../../../language/catalog/catalog.ts';
import { catalogue, type Code, type ParametersOf } from '../../../language/diagnostics/catalogue.ts';
import type { CodeEntry } from '../../../language/diagnostics/define.ts';
import type { Severity } from '../../../language/diagnostics/diagnostic.ts';

/** A finding of VALIDATE REGISTRY about one block (docs/language.md#looking-at-the-registry). */
export interface Finding {
  readonly severity: Severity;
  readonly code: string;
  /** `decision Pour`. */
  readonly block: string;
  readonly message: string;
  /** The text literal that it is about; without one, it is about the block as a whole. */
  readonly literal?: string;
}

/** Searches the whole catalog for one kind of problem. */
export type Rule = (catalog: Catalog) => readonly Finding[];

export function finding<C extends Code>(code: C, block: string, parameters: ParametersOf<C>): Finding {
  const { severity, message } = catalogue[code] as unknown as CodeEntry<ParametersOf<C>>; // the entry of that code
  return { severity, code, block, message: message(parameters) };
}
