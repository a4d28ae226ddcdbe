/**
 * Names in generated source. Block names are safe identifiers, but may be words of the language, names that generated
 * code uses, or file names that a system reserves; these tables rename them, always in the same way.
 */
import { safeName } from '../language/contract/safe-name.ts';

/**
 * Words that cannot name a value or a type in strict ES modules and TypeScript, and globals that generated code relies
 * on.
 */
const reserved: ReadonlySet<string> = new Set(
  `abstract any arguments as asserts async await bigint boolean break case catch class const constructor continue debugger declare
  default delete do else enum eval export extends false finally for from function get global globalThis if implements import in infer
  instanceof interface intrinsic is keyof let module namespace never new null number object of out override package private
  protected public readonly require return satisfies set static string super switch symbol this throw true try type typeof
  undefined unique unknown using var void while with yield
  Array BigInt Boolean Date Error Infinity JSON Map Math NaN Number Object Promise Proxy ReadonlyArray ReadonlyMap Reflect
  RegExp Set String Symbol exports process Buffer fetch crypto URL
  Awaited Exclude Extract NonNullable Omit Partial Pick Readonly Record Required`.split(/\s+/),
);

/** A block's name as a type: itself, or with an underscore when that word is reserved. Depends only on the name. */
export function typeIdentifier(name: string): string {
  return isTaken(name) ? `${name}_` : name;
}

function isTaken(name: string): boolean {
  return reserved.has(name) || runtimeNames.has(name);
}

/** `lastEvent` → `LastEvent`, for a part of a longer name. */
export function capital(name: string): string {
  return name.slice(0, 1).toUpperCase() + name.slice(1);
}

/** Names that generated modules may import from `schemac/runtime`; a block of that name must not hide them. */
const runtimeNames: ReadonlySet<string> = new Set(
  `AggregateDefinition Column CommandDefinition CompiledQuery DecisionContext DecisionDefinition Decided Domain Emission EventDefinition JsonObject
  ProjectionDefinition ReactionDefinition ReadModelDefinition RegisteredBlock StateDefinition Value defineDomain defineFold defineState read sql startServer
  write`.split(/\s+/),
);

/** The names of one scope: each is given only once. */
export interface NameScope {
  /** The first free one of the offered names, else the first with a number. A reserved word gets an underscore. */
  readonly take: (...offered: readonly string[]) => string;
}

export function createNameScope(used: Iterable<string> = [], own = typeIdentifier): NameScope {
  const names = new Set(used);
  const claim = (name: string): string => {
    names.add(name);
    return name;
  };
  return {
    take: (...offered) => {
      const candidates = offered.map(own);
      const free = candidates.find((name) => !names.has(name));
      if (free !== undefined) return claim(free);
      let number = 2;
      while (names.has(`${candidates[0] ?? 'name'}${number}`)) number++;
      return claim(`${candidates[0] ?? 'name'}${number}`);
    },
  };
}

/** The property names of one object, without those that every object has. */
export function createMemberScope(): NameScope {
  return createNameScope([], (name) => (name in {} ? `${name}_` : name));
}

/** `BikeRented` → `bikeRented`, for locals. */
export function localName(name: string): string {
  return name.slice(0, 1).toLowerCase() + name.slice(1);
}

const reservedFiles = /^(con|prn|aux|nul|com\d|lpt\d|index)$/i;

/**
 * File names, without ending, for the block names of one folder: safe on systems that reserve names or ignore case. In
 * the order of the given names, so that an added block renames another file only if they collide.
 */
export function createFileTable(names: readonly string[]): ReadonlyMap<string, string> {
  const taken = new Set<string>();
  const table = new Map<string, string>();
  const plain = (name: string): boolean => !reservedFiles.test(name);
  for (const name of [...names.filter(plain), ...names.filter((name) => !plain(name))]) {
    if (!safeName.test(name)) throw new Error('a block name that was not checked reached the emitter');
    let file = plain(name) ? name : `${name}_`;
    while (taken.has(file.toLowerCase())) file += '_';
    taken.add(file.toLowerCase());
    table.set(name, file);
  }
  return table;
}
