import type { FunctionBlock } from '../../../language/catalog/block.ts';
import type { Catalog } from '../../../language/catalog/catalog.ts';
import type { Type } from '../../../language/values/type.ts';
import { rolesNamed } from '../../emit/project/roles-named.ts';
import type { Token } from '../../syntax/tokens/token.ts';
import { isWord } from '../../syntax/tokens/token-text.ts';
import {
  Assign,
  Bind,
  Comma,
  ComparisonSign,
  Dot,
  Equal,
  Identifier,
  keyword,
  LParen,
  QueryParen,
  RParen,
  StringToken,
} from '../../syntax/tokens/vocabulary.ts';
import type { Choice } from './choice.ts';
import { commasBetween, openingBefore } from './names.ts';

/**
 * Choices for a text: the values of the ENUM that it is compared with, assigned to or given to a function as, the names of events where
 * it is compared with `event_type`, and in HAS_ROLE the roles that are named elsewhere. They are found by the name of the other side, since the statement may be unfinished.
 */
export function valueChoices(tokens: readonly Token[], index: number, catalog: Catalog): readonly Choice[] {
  if (tokens[index - 1]?.tokenType === LParen && tokens[index - 2]?.image.toUpperCase() === 'HAS_ROLE')
    return rolesNamed(catalog).map((role) => choice(role, 'role'));
  const named = comparedName(tokens, index, catalog) ?? parameterAt(tokens, index, catalog);
  if (named === undefined) return [];
  if (named.kind === 'field' && named.name === 'event_type')
    return catalog.blocks.event.map(({ name }) => choice(name, 'event'));
  const types = named.kind === 'type' ? [named.name] : enumsOf(named.name, catalog);
  return catalog.blocks.enum
    .filter(({ name }) => types.includes(name.toLowerCase()))
    .flatMap(({ name, values }) => values.map((value) => choice(value, name)));
}

function choice(value: string, detail: string): Choice {
  return { label: value, kind: 'value', insert: value.replaceAll("'", "''"), detail };
}

interface ComparedName {
  /** In lower case. */
  readonly name: string;
  /** `type`: behind DEFAULT of a field, or of a function. */
  readonly kind: 'field' | 'type';
}

/** The last part of the name on the other side; undefined where a text is not compared with one. */
function comparedName(tokens: readonly Token[], index: number, catalog: Catalog): ComparedName | undefined {
  const type = (at: number): Token['tokenType'] | undefined => tokens[at]?.tokenType;
  const nameAt = (at: number, kind: ComparedName['kind'] = 'field'): ComparedName | undefined => {
    const token = tokens[at];
    if (token?.tokenType === RParen) {
      const opening = openingBefore(tokens, at);
      if (opening === undefined) return undefined;
      // The result of a function, or a name in parentheses.
      return type(opening - 1) === Identifier
        ? enumNamed(functionBefore(tokens, opening, catalog)?.returns)
        : nameAt(at - 1, kind);
    }
    if (token === undefined || !(isWord(token) || token.tokenType === Bind)) return undefined;
    return { name: (token.text ?? token.image).replace(/^:/, '').toLowerCase(), kind };
  };
  // The text is before the sign.
  const behind = type(index + 1);
  if (behind === Equal || behind === ComparisonSign) {
    let first = index + 2;
    while (type(first) === LParen) first++;
    return nameAt(type(first + 1) === Dot ? first + 2 : first);
  }
  let at = index - 1;
  const sign = type(at);
  if (sign === Equal || sign === ComparisonSign || sign === Assign) return nameAt(at - 1);
  if (sign === keyword.FROM && type(at - 1) === keyword.DISTINCT)
    return nameAt(type(at - 3) === keyword.NOT ? at - 4 : at - 3);
  if (sign === keyword.DEFAULT) return nameAt(at - 1, 'type');
  if (sign === keyword.WHEN) {
    while (at >= 0 && type(at) !== keyword.CASE) at--;
    const first = tokens.findIndex(({ tokenType }, place) => place > at && tokenType === keyword.WHEN);
    return at < 0 || first - 1 === at ? undefined : nameAt(first - 1);
  }
  // A list of texts behind IN.
  while (type(at) === Comma || type(at) === StringToken) at--;
  if (type(at) !== LParen || type(at - 1) !== keyword.IN) return undefined;
  return nameAt(type(at - 2) === keyword.NOT ? at - 3 : at - 2);
}

/** The ENUM of the parameter of a function of the schema, for an argument that begins at the place. */
function parameterAt(tokens: readonly Token[], index: number, catalog: Catalog): ComparedName | undefined {
  const before = tokens[index - 1]?.tokenType;
  if (before !== LParen && before !== QueryParen && before !== Comma) return undefined;
  const opening = openingBefore(tokens, index);
  if (opening === undefined) return undefined;
  const called = functionBefore(tokens, opening, catalog);
  return enumNamed(called?.parameters[commasBetween(tokens, opening, index)]?.type);
}

function functionBefore(tokens: readonly Token[], opening: number, { blocks }: Catalog): FunctionBlock | undefined {
  const name = tokens[opening - 1];
  if (name === undefined || !isWord(name)) return undefined;
  const wanted = (name.text ?? name.image).toLowerCase();
  return blocks.function.find((block) => block.name.toLowerCase() === wanted);
}

function enumNamed(type: Type | undefined): ComparedName | undefined {
  const found = type?.kind === 'STRING' ? type.enum : undefined;
  return found === undefined ? undefined : { name: found.name.toLowerCase(), kind: 'type' };
}

/** The ENUMs, in lower case, of all fields, columns and parameters with this name. */
function enumsOf(wanted: string, { blocks }: Catalog): readonly string[] {
  const { aggregate, command, event, decision, projection, reaction, function: functions } = blocks;
  const typed: readonly { readonly name: string; readonly type: Type }[] = [
    ...command.flatMap(({ fields }) => fields),
    ...event.flatMap(({ fields }) => fields),
    ...aggregate.flatMap(({ payload, state }) => [...payload, ...state.columns]),
    ...[...decision, ...reaction].flatMap(({ state }) => state?.columns ?? []),
    ...projection.flatMap(({ query }) => query.columns),
    ...functions.flatMap(({ parameters }) => parameters),
  ];
  const found = typed.flatMap(({ name, type }) =>
    name.toLowerCase() === wanted && type.kind === 'STRING' && type.enum !== undefined
      ? [type.enum.name.toLowerCase()]
      : [],
  );
  return [...new Set(found)];
}
