import { safeName } from '../../../language/contract/safe-name.ts';

/** A safe identifier, or one with the suffix of an aggregate's relations. */
export function isRelationIdentifier(text: string): boolean {
  return safeName.test(text.replace(/\$(?:Agg|Events)$/i, ''));
}
