import type { ReadModelDefinition } from '../../../language/contract/read-model.ts';

/** The same relations computed from the events at each query: what folds that are kept up to date must equal. */
export function withoutFolds(definition: ReadModelDefinition): ReadModelDefinition {
  return { ...definition, sqlite: { ...definition.sqlite, folds: [] } };
}
