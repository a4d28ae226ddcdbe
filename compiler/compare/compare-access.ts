/** Changes of the clauses that say who may send a command, and who sees which rows and values (docs/callers.md). */
import type {
  AggregateBlock,
  CallerCondition,
  ClaimBlock,
  CommandBlock,
  ProjectionBlock,
} from '../../language/catalog/block.ts';
import { callerPartText } from '../../language/contract/caller.ts';
import { typeName } from '../../language/values/type.ts';
import { difference, type Difference } from './difference.ts';

/** ALLOW, and the defaults that are values of the caller. */
export function changedAllow(before: CommandBlock, after: CommandBlock): readonly Difference[] {
  const was = new Map(before.fields.map((field) => [field.name.toLowerCase(), defaultText(field)]));
  const fields = after.fields.flatMap((field) => {
    const clause = `the DEFAULT of field '${field.name}'`;
    return changed(after, clause, was.get(field.name.toLowerCase()), defaultText(field));
  });
  const { message: old } = before.allow ?? {};
  const { message, text } = after.allow ?? {};
  const isReworded = before.allow?.text === text && old !== message;
  return [
    ...changed(after, 'ALLOW', textOf(before.allow), textOf(after.allow)),
    ...(isReworded
      ? [difference('check-message-changed', after, 'refused callers read another message of ALLOW')]
      : []),
    ...fields,
  ];
}

function defaultText({ callerDefault }: CommandBlock['fields'][number]): string | undefined {
  return callerDefault && callerPartText(callerDefault);
}

/** VISIBLE and CLEAR. */
export function changedClauses(
  before: AggregateBlock | ProjectionBlock,
  after: AggregateBlock | ProjectionBlock,
): readonly Difference[] {
  return [
    ...changed(after, 'VISIBLE', visibleText(before), visibleText(after)),
    ...changed(after, 'CLEAR', textOf(before.clear), textOf(after.clear)),
  ];
}

function visibleText({ visible }: AggregateBlock | ProjectionBlock): string | undefined {
  return visible === 'all' ? 'TO ALL' : textOf(visible);
}

function textOf(condition: CallerCondition | undefined): string | undefined {
  return condition && `WHERE ${condition.text}`;
}

/** A claim as it is read from a token. */
export function changedClaim(before: ClaimBlock | undefined, after: ClaimBlock | undefined): readonly Difference[] {
  const block = after ?? before;
  return block === undefined ? [] : changed(block, 'it', before && claimText(before), after && claimText(after));
}

function claimText({ type, sensitive, path }: ClaimBlock): string {
  return `${typeName(type)}${sensitive ? ' SENSITIVE' : ''} from ${path.map((member) => `'${member}'`).join(', ')}`;
}

function changed(
  block: Parameters<typeof difference>[1],
  clause: string,
  was: string | undefined,
  is: string | undefined,
): readonly Difference[] {
  if (was === is) return [];
  const how =
    was === undefined ? `is new: ${is}` : is === undefined ? `is gone: ${was}` : `changes from ${was} to ${is}`;
  return [difference('access-changed', block, `${clause} ${how}`)];
}
