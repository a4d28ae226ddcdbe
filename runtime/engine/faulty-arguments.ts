import type { CommandDefinition, CommandField } from '../../language/contract/command.ts';
import { fail, Failure } from '../../language/failure/failure.ts';
import { mostFaults, type Fault } from '../../language/failure/faults.ts';
import { readInput } from '../../language/values/input.ts';
import type { JsonObject } from '../../language/values/json.ts';
import { typeName } from '../../language/values/type.ts';

/** The command, whose failure names every faulty argument. A generated decoder stops at the first one, which is all that sound input costs. */
export function withAllFaults(command: CommandDefinition<object>): CommandDefinition<object> {
  return {
    ...command,
    decode: (sent) => {
      try {
        return command.decode(sent);
      } catch (error) {
        throw error instanceof Failure && error.kind === 'input' ? allFaults(command, sent, error) : error;
      }
    },
  };
}

function allFaults(command: CommandDefinition<object>, sent: JsonObject, first: Failure): Failure {
  const unknown = [...sent.keys()].filter((name) => command.fields.every((field) => field.name !== name));
  const known = `it takes ${command.fields.map(({ name }) => name).join(', ') || 'none'}`;
  const faults = [
    ...unknown.map((field): Fault => ({
      field,
      message: `there is no argument '${shortened(field)}'`,
      allowed: known,
    })),
    ...command.fields.flatMap((field) => faultOf(command, field, sent, first)),
  ];
  if (faults.length < 2) return first;
  const kept = faults.slice(0, mostFaults);
  const { message } = fail('R0113', { command: command.name, faults, count: faults.length });
  return new Failure('R0113', message, kept[0]?.field, kept);
}

/** A rule that only the first failure knows, such as that for ids of streams, counts as well. */
function faultOf(
  command: CommandDefinition<object>,
  { name, type, sensitive, required, nullable, callerDefault }: CommandField,
  sent: JsonObject,
  first: Failure,
): readonly Fault[] {
  const given = sent.get(name);
  const fault = (message: string): readonly Fault[] => [{ field: name, message }];
  if (given === undefined && (required || callerDefault !== undefined))
    return fault(`argument '${name}' (${typeName(type)}) is missing`);
  if (given === null && !nullable) return fault(`argument '${name}' takes ${typeName(type)}, not NULL`);
  const { problem } = readInput(given ?? null, type, { sensitive });
  if (problem !== undefined) return fault(`argument '${name}' takes ${problem.takes}, not ${problem.given}`);
  if (first.field !== name) return [];
  return fault(first.message.replace(`${command.name}: `, ''));
}

const shownCharacters = 60;

function shortened(name: string): string {
  return name.length > shownCharacters ? `${name.slice(0, shownCharacters)}…` : name;
}
