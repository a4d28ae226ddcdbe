import type { Catalog } from '../../language/catalog/catalog.ts';
import type { SourceFile } from '../../language/source/source-file.ts';
import { typeName } from '../../language/values/type.ts';
import { signatureOf } from '../describe/kinds.ts';
import { functionReference } from '../functions/reference.ts';
import { cursorAt } from './cursor.ts';
import { commasBetween, fieldsOfCall, openingBefore } from './completion/names.ts';

export interface Signature {
  readonly label: string;
  readonly parameters: readonly string[];
  readonly documentation?: string;
}

export interface Signatures {
  readonly signatures: readonly Signature[];
  /** The parameter at the place, counted from 0. */
  readonly active: number;
}

/** The parameters of the call around a place: of a function, an event, a command or a template. */
export function signaturesAt(file: SourceFile, offset: number, catalog: Catalog): Signatures | undefined {
  const { inside, tokens, index } = cursorAt(file, offset);
  if (inside === 'comment') return undefined;
  const opening = openingBefore(tokens, index);
  const name = opening === undefined ? undefined : tokens[opening - 1];
  if (opening === undefined || name === undefined) return undefined;
  const active = commasBetween(tokens, opening, index);
  const call = fieldsOfCall(tokens, opening, catalog);
  if (call !== undefined) {
    const parameters = call.fields.map(({ label, detail }) =>
      detail === undefined ? label : `${label} ${detail.replace(', ', ' ')}`,
    );
    return { signatures: [{ label: `${call.name}(${parameters.join(', ')})`, parameters }], active };
  }
  const own = catalog.blocks.function.find((block) => block.name.toLowerCase() === name.image.toLowerCase());
  if (own !== undefined) {
    const parameters = own.parameters.map((parameter) => `${parameter.name} ${typeName(parameter.type)}`);
    return { signatures: [{ label: signatureOf(own), parameters, documentation: own.bodyText }], active };
  }
  const found = functionReference.find((entry) => entry.name === name.image.toUpperCase());
  if (found === undefined) return undefined;
  const signatures = found.usage
    .filter((usage) => usage.includes('('))
    .map((usage) => ({ label: usage, parameters: parametersOf(usage), documentation: found.summary }));
  return signatures.length === 0 ? undefined : { signatures, active };
}

/** The parameters in a text like `ROUND(x[, digits])`. */
function parametersOf(usage: string): readonly string[] {
  const inside = usage.slice(usage.indexOf('(') + 1, usage.lastIndexOf(')'));
  return inside
    .split(',')
    .map((part) => part.replace(/[[\]]/g, '').trim())
    .filter((part) => part !== '');
}
