/** The shared parts of a document. Only parts that something refers to are in it. */
import type { JsonSchema } from '../wire/json-schema.ts';

export type ComponentKind = 'schemas' | 'responses' | 'parameters' | 'headers';

export interface Components {
  /** Adds the part unless it is there, and gives a reference to it. The parts of a kind have different names. */
  readonly refer: (kind: ComponentKind, name: string, part: () => object) => { readonly $ref: string };
  readonly all: () => Readonly<Partial<Record<ComponentKind, Readonly<Record<string, object>>>>>;
}

export function createComponents(): Components {
  const parts = new Map<ComponentKind, Map<string, JsonSchema>>();
  return {
    refer: (kind, name, part) => {
      const known = parts.get(kind) ?? new Map<string, JsonSchema>();
      parts.set(kind, known);
      if (!known.has(name)) {
        // The place is taken first: the part may refer to others.
        known.set(name, {});
        known.set(name, part() as JsonSchema);
      }
      return { $ref: `#/components/${kind}/${name}` };
    },
    all: () => Object.fromEntries([...parts].map(([kind, named]) => [kind, Object.fromEntries(named)])),
  };
}
