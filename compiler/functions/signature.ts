/** Signatures of functions that take fixed kinds of arguments; functions that choose by type have their own `resolve`. */
import type { Type } from '../../language/values/type.ts';
import type { FunctionEntry, GivenArgument, Resolution, Unresolvable } from './entry.ts';
import { BOOLEAN, DATE, DOUBLE, INT, isNumeric, isText, JSON_TYPE, namesOf, STRING, TIMESTAMP } from './typing.ts';

/** The kind of a parameter; each kind also accepts string literals and NULL. */
export type ParameterKind = 'text' | 'int' | 'double' | 'boolean' | 'timestamp' | 'date' | 'json';

/** The type that an argument is cast to, or undefined when the parameter does not accept it. */
function parameterType(kind: ParameterKind, given: GivenArgument): Type | undefined {
  const { type, untyped } = given;
  switch (kind) {
    case 'text':
      return untyped ? STRING : isText(type) ? type : undefined;
    case 'int':
      return untyped || type.kind === 'INT' ? INT : undefined;
    case 'double':
      return untyped || isNumeric(type) ? DOUBLE : undefined;
    case 'boolean':
      return untyped || type.kind === 'BOOLEAN' ? BOOLEAN : undefined;
    case 'timestamp':
      return untyped || type.kind === 'TIMESTAMP' || type.kind === 'DATE' ? TIMESTAMP : undefined;
    case 'date':
      return type.kind === 'DATE' ? DATE : undefined;
    case 'json':
      return untyped || type.kind === 'JSON' ? JSON_TYPE : undefined;
  }
}

export interface Signature {
  readonly parameters: readonly ParameterKind[];
  readonly result: Type;
}

export const anyNullable: Resolution['nullable'] = (argumentsNullable) => argumentsNullable.includes(true);
export const neverNullable: Resolution['nullable'] = () => false;

/** The first of these signatures that accepts the arguments, in the given order. */
export function oneOf(name: string, signatures: readonly Signature[]): FunctionEntry['resolve'] {
  return (given) => {
    for (const { parameters, result } of signatures) {
      if (parameters.length !== given.length) continue;
      const types = given.map((argument, index) => parameterType(parameters[index] ?? 'text', argument));
      if (types.every((type) => type !== undefined)) return { parameters: types, result, nullable: anyNullable };
    }
    return refuse(name, given, signatures);
  };
}

const spelled: Readonly<Record<ParameterKind, string>> = {
  text: 'STRING',
  int: 'INT',
  double: 'a number',
  boolean: 'BOOLEAN',
  timestamp: 'TIMESTAMP or DATE',
  date: 'DATE',
  json: 'JSON',
};

function refuse(name: string, given: readonly GivenArgument[], signatures: readonly Signature[]): Unresolvable {
  const sameLength = signatures.filter((signature) => signature.parameters.length === given.length);
  if (sameLength.length === 0)
    return wrongCount(
      name,
      given.length,
      signatures.map((signature) => signature.parameters.length),
    );
  const takes = sameLength
    .map((signature) => `(${signature.parameters.map((kind) => spelled[kind]).join(', ')})`)
    .join(' or ');
  return { problem: `${name} takes ${takes}, not ${namesOf(given)}; CAST what differs` };
}

/** The problem of a call whose number of arguments fits no signature. */
export function wrongCount(name: string, given: number, taken: readonly number[]): Unresolvable {
  const counts = [...new Set(taken)].sort((a, b) => a - b).join(' or ');
  return {
    problem: `${name} takes ${counts === '0' ? 'no' : counts} argument${counts === '1' ? '' : 's'}, not ${given}`,
  };
}
