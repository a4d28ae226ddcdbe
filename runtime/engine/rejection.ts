import type { Row } from '../store/store.ts';
import { writeJson } from '../../language/values/json-write.ts';
import type { Handler } from './handlers.ts';
import { masked } from './mask.ts';
import type { NamedValue, Rejection } from './outcome.ts';
import { field } from './state.ts';

/** Why a command was rejected: every branch's guard, the state it looked at and the command's arguments. */
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

/** The rejection as JSON text with sensitive values masked: what is recorded, and what INSPECT's `rejection` column holds. */
export function rejectionText(rejection: Rejection): string {
  const guards = JSON.stringify(rejection.guards);
  return `{"decision":${JSON.stringify(rejection.decision)},"guards":${guards},"state":${namedText(rejection.state)},"command":${namedText(rejection.command)}}`;
}

/** Named values as the text of a JSON object; sensitive ones masked. */
export function namedText(values: readonly NamedValue[]): string {
  const members = values.map((named) => `${JSON.stringify(named.name)}:${writeJson(masked(named), named.type)}`);
  return `{${members.join(',')}}`;
}
