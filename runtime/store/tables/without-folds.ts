import type { ReadModelDefinition } from '../../../language/contract/read-model.ts';

/** The relations without folds, computed from the events at each query: folds that are kept up to date must equal them. */
export function withoutFolds(definition: ReadModelDefinition): ReadModelDefinition {
  return { ...definition, sqlite: { ...definition.sqlite, folds: [] } };
}
