/** Where a store keeps its read model (docs/language.md#event-store, `read.engine`). */
export type ReadEngine = 'memory' | 'disk' | 'auto';

export function isReadEngine(value: unknown): value is ReadEngine {
  return value === 'memory' || value === 'disk' || value === 'auto';
}
