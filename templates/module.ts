/**
 * The structure of one generated module. Each template gives one; `compiler/emit/print/print-typescript.ts` prints it
 * as TypeScript and `print-javascript.ts` as JavaScript and declarations. Code is given once, valid in both languages;
 * types are separate and omitted from the JavaScript.
 */
import { defined } from '../language/values/defined.ts';
import type { Code } from './code.ts';

export interface ModuleStructure {
  /** Under the output folder, without ending, with `/`: made from a file table, never from a name directly. */
  readonly path: string;
  /** Lines of the head comment. */
  readonly head: readonly string[];
  readonly imports: readonly ImportPart[];
  readonly parts: readonly Part[];
}

export interface ImportPart {
  /** `schemac/runtime`, `schemac/client`, or a relative path ending in `.js`. */
  readonly from: string;
  readonly names: readonly ImportedName[];
  /** Types only: absent from the JavaScript. */
  readonly types: boolean;
}
export interface ImportedName {
  readonly name: string;
  readonly as?: string;
}

export type Part = InterfacePart | TypePart | ConstantPart | FunctionPart | ReexportPart;

/** Lines of a comment; escaped by the printers. */
type Lines = readonly string[];

interface DeclarationPart {
  readonly name: string;
  readonly exported: boolean;
  /** The comment above it. */
  readonly documentation?: Lines;
}
export interface InterfacePart extends DeclarationPart {
  readonly kind: 'interface';
  readonly members: readonly InterfaceMember[];
}
export interface InterfaceMember {
  /** A property key as printed, quoted where it must be. */
  readonly key: string;
  readonly type: string;
  readonly optional?: true;
  /** Without `readonly`. */
  readonly mutable?: true;
  readonly documentation?: readonly string[];
}
export interface TypePart extends DeclarationPart {
  readonly kind: 'type';
  readonly type: string;
}
export interface ConstantPart extends DeclarationPart {
  readonly kind: 'constant';
  /** Left out when the value determines it and the constant is not exported. */
  readonly type?: string;
  readonly value: Code;
}
export interface FunctionPart extends DeclarationPart {
  readonly kind: 'function';
  readonly asynchronous?: true;
  /** `<T>`, as printed. */
  readonly typeParameters?: string;
  readonly parameters: readonly { readonly name: string; readonly type: string }[];
  readonly returns: string;
  readonly body: readonly Statement[];
}
/** `export { a, b } from '…'`; without names all types, and no values: `export type * from '…'`. */
export interface ReexportPart {
  readonly kind: 'reexport';
  readonly from: string;
  readonly names?: readonly string[];
}
/** A statement inside a function; `text` is several statements that are already laid out. */
export type Statement =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'code'; readonly code: Code }
  | { readonly kind: 'local'; readonly name: string; readonly type: string; readonly value: Code }
  | { readonly kind: 'if'; readonly condition: Code; readonly body: readonly Statement[] }
  | { readonly kind: 'comment'; readonly lines: readonly string[] };

/** Parts that only their module uses; `exported` makes others of them. */
export function constantPart(name: string, type: string | undefined, value: Code, documentation?: Lines): ConstantPart {
  return defined({ kind: 'constant', exported: false, name, documentation, type, value });
}

export function interfacePart(
  name: string,
  documentation: Lines | undefined,
  members: readonly InterfaceMember[],
): InterfacePart {
  return defined({ kind: 'interface', exported: false, name, documentation, members });
}

export function typePart(name: string, type: string): TypePart {
  return { kind: 'type', exported: false, name, type };
}

export function exported<P extends DeclarationPart>(part: P): P {
  return { ...part, exported: true };
}
