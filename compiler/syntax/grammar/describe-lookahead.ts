import {
  Alternation,
  NonTerminal,
  Option,
  Repetition,
  RepetitionMandatory,
  RepetitionMandatoryWithSeparator,
  RepetitionWithSeparator,
  Terminal,
  type IProduction,
} from '../chevrotain.ts';
import { Grammar } from './statements.ts';

/** Names of the choices in a rule, by the class of a part. */
const kinds: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  [Alternation, 'OR'],
  [Option, 'OPTION'],
  [Repetition, 'MANY'],
  [RepetitionMandatory, 'AT_LEAST_ONE'],
  [RepetitionWithSeparator, 'MANY_SEP'],
  [RepetitionMandatoryWithSeparator, 'AT_LEAST_ONE_SEP'],
]);

/** Among the tokens of a part: it may be absent. */
const absent = '*';

/**
 * The tokens that each choice of the grammar begins with: a line `<rule> <kind> <occurrence>: <tokens>` each, the alternatives of an OR with `|`
 * between them, and `*` in one that may be absent.
 */
export function describeLookahead(): string {
  const rules = Object.values(new Grammar(false).getGAstProductions());
  return rules.flatMap(({ name, definition }) => linesOf(name, definition)).join('\n');
}

function linesOf(rule: string, parts: readonly IProduction[]): readonly string[] {
  return parts.flatMap((part) => {
    if (part instanceof NonTerminal) return [];
    const kind = kinds.get(part.constructor);
    const inner = linesOf(rule, partsOf(part));
    if (kind === undefined) return inner;
    const first = part instanceof Alternation ? part.definition.map(partsOf) : [partsOf(part)];
    const { idx = 0 } = part as { readonly idx?: number };
    return [`${rule} ${kind} ${idx}: ${first.map((each) => beginningOf(each).join(' ')).join(' | ')}`, ...inner];
  });
}

/** The tokens that a sequence can begin with. */
function beginningOf(sequence: readonly IProduction[]): readonly string[] {
  const names = new Set<string>();
  for (const part of sequence) {
    const own = beginningOfPart(part);
    for (const name of own) if (name !== absent) names.add(name);
    if (!own.includes(absent)) return [...names];
  }
  return [...names, absent];
}

function beginningOfPart(part: IProduction): readonly string[] {
  if (part instanceof Terminal) return [part.terminalType.name];
  if (part instanceof NonTerminal) return beginningOf(part.referencedRule.definition);
  if (part instanceof Alternation) return part.definition.flatMap((each) => beginningOf(partsOf(each)));
  const isOptional = part instanceof Option || part instanceof Repetition || part instanceof RepetitionWithSeparator;
  return isOptional ? [...beginningOf(partsOf(part)), absent] : beginningOf(partsOf(part));
}

function partsOf(part: IProduction): readonly IProduction[] {
  return (part as { readonly definition?: readonly IProduction[] }).definition ?? [];
}
