import type { Row } from '../store/store.ts';
import { writeJson } from '../../language/values/json-write.ts';
import type { Handler } from './handlers.ts';
import { masked } from './mask.ts';
import type { NamedValue, Rejection } from './outcome.ts';
import { field } from './state.ts';

/** Why a command was rejected: every branch's guard, the state they saw and the command's arguments. */
export function rejectionOf(handler: Handler, command: object, state: Row): Rejection {
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
  };
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
    `"guards":${JSON.stringify(guards)}`,
    `"state":${namedText(state, shown)}`,
    `"command":${namedText(command, shown)}`,
  ];
  return `{${members.join(',')}}`;
}

/** Named values as the text of a JSON object. */
export function namedText(values: readonly NamedValue[], shown: Shown = 'masked'): string {
  const members = values.map((named) => `${quoted(named.name)}:${valueText(named, shown)}`);
  return `{${members.join(',')}}`;
}

function valueText(named: NamedValue, shown: Shown): string {
  return shown === 'masked' ? writeJson(masked(named), named.type) : writeJson(named.value, named.type);
}

/** A name as JSON; nearly all need no escapes. */
function quoted(name: string): string {
  return /^\w+$/.test(name) ? `"${name}"` : JSON.stringify(name);
}
