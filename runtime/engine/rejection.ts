import type { CallerValues } from '../../language/contract/caller.ts';
import type { Domain } from '../../language/contract/domain.ts';
import type { Row } from '../store/store.ts';
import { jsonName } from '../../language/values/json-name.ts';
import { writeJson } from '../../language/values/json-write.ts';
import type { Handler } from './handlers.ts';
import { masked } from './mask.ts';
import type { ExplainedTerm, FailedGuard, NamedValue, Rejection } from './outcome.ts';
import { field } from './state.ts';

/** Why a command was rejected: every branch's guard, the state they saw and the command's arguments. */
export function rejectionOf(
  handler: Handler,
  command: object,
  state: Row,
  at: bigint,
  caller: CallerValues | undefined,
): Rejection {
  const { decision } = handler;
  return {
    decision: decision.name,
    guards: decision.branches.map((branch) => ({ branch: branch.label ?? null, guard: branch.guard ?? null })),
    state: (decision.state?.columns ?? []).map((column, index) => ({
      name: column.name,
      type: column.type,
      sensitive: column.sensitive,
      value: state[index] ?? null,
    })),
    command: handler.command.fields.map(({ name, type, sensitive }) => ({
      name,
      type,
      sensitive,
      value: field(command, name),
    })),
    at,
    ...(caller && { caller }),
  };
}

/**
 * The rejection for a reader with rights: without the state and the parts of guards that read it, unless he may read each relation that STATE reads.
 * The present definition does not tell what a decision that has changed since had read.
 */
export function readableRejection(
  rejection: Rejection,
  { decisions }: Domain,
  mayRead: (relation: string) => boolean,
): Rejection {
  const { state = [], guards, ...rest } = rejection;
  if (state.length === 0) return rejection;
  const read = decisions.find(({ name }) => name === rejection.decision)?.state;
  const isSame =
    read?.columns.every(({ name }, at) => name === state[at]?.name) === true && read.columns.length === state.length;
  if (isSame && read.query.reads.every(mayRead)) return rejection;
  return {
    ...rest,
    guards: guards.map((guard) =>
      guard.terms === undefined ? guard : { ...guard, terms: guard.terms.map(withoutState) },
    ),
  };
}

function withoutState(explained: ExplainedTerm): ExplainedTerm {
  const { term, operands = [], terms } = explained;
  const parts = terms?.map(withoutState);
  const isHidden =
    operands.some(({ name }) => !name.startsWith(':')) || parts?.some(({ masked: hidden }) => hidden === true);
  if (isHidden !== true) return explained;
  return { term, masked: true, ...(parts && { terms: parts }) };
}

/**
 * `masked`: sensitive values are replaced by their masks; `as given`: the caller may see them, or they are already
 * masked.
 */
export type Shown = 'masked' | 'as given';

/** The rejection as JSON text: the form in the log, in answers, and in the `rejection` column of INSPECT. */
export function rejectionText({ decision, guards, state, command }: Rejection, shown: Shown = 'masked'): string {
  const members = [
    `"decision":${JSON.stringify(decision)}`,
    `"guards":[${guards.map(guardText).join(',')}]`,
    ...(state === undefined ? [] : [`"state":${namedText(state, shown)}`]),
    `"command":${namedText(command, shown)}`,
  ];
  return `{${members.join(',')}}`;
}

function guardText({ branch, guard, terms }: FailedGuard): string {
  const explained = terms === undefined ? '' : `,"terms":${termsText(terms)}`;
  return `{"branch":${JSON.stringify(branch)},"guard":${JSON.stringify(guard)}${explained}}`;
}

function termsText(terms: readonly ExplainedTerm[]): string {
  return `[${terms.map(termText).join(',')}]`;
}

function termText({ term, value, failed, masked: isMasked, operands, terms }: ExplainedTerm): string {
  const members = [
    `"term":${JSON.stringify(term)}`,
    ...(value === undefined ? [] : [`"value":${JSON.stringify(value)}`]),
    ...(failed === undefined ? [] : [`"failed":${JSON.stringify(failed)}`]),
    ...(isMasked === undefined ? [] : ['"masked":true']),
    ...(operands === undefined ? [] : [`"operands":{${operands.map(operandText).join(',')}}`]),
    ...(terms === undefined ? [] : [`"terms":${termsText(terms)}`]),
  ];
  return `{${members.join(',')}}`;
}

function operandText({ name, type, value }: NonNullable<ExplainedTerm['operands']>[number]): string {
  return `${jsonName(name)}:${writeJson(value, type)}`;
}

/** Named values as the text of a JSON object. */
export function namedText(values: readonly NamedValue[], shown: Shown = 'masked'): string {
  let members = '';
  for (const named of values)
    members += `${members === '' ? '' : ','}${jsonName(named.name)}:${valueText(named, shown)}`;
  return `{${members}}`;
}

function valueText(named: NamedValue, shown: Shown): string {
  return shown === 'masked' ? writeJson(masked(named), named.type) : writeJson(named.value, named.type);
}
