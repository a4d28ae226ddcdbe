import { entry } from '../define.ts';
import { suggestion } from '../suggestion.ts';

const hold =
  'CREATE AGGREGATE Seat;\nCREATE COMMAND Release (seat STRING);\nCREATE EVENT Held (minutes INT);\nCREATE EVENT Released ();\n' +
  'CREATE COMMAND Hold (seat STRING, minutes INT);\n' +
  'CREATE DECISION Holding FOR Seat ON COMMAND Hold EMIT AS SELECT EVENT Held (minutes := :minutes);\n' +
  'CREATE DECISION Releasing FOR Seat ON COMMAND Release EMIT AS SELECT EVENT Released ();\n';

export const reactions = {
  E0450: entry<{ event: string; aggregate: string; lands: readonly string[] }>({
    severity: 'error',
    title: 'event that does not occur in that aggregate',
    message: (p) =>
      `no decision emits '${p.event}' to a stream of '${p.aggregate}'; ` +
      (p.lands.length === 0 ? 'no decision emits it at all' : `it goes to ${p.lands.join(', ')}`),
    explanation: 'OF limits a reaction to events in the streams of one aggregate. There this event never occurs.',
    example: `CREATE AGGREGATE Hall;\n${hold}CREATE REACTION Expire ON EVENT Held OF Hall EXECUTE Release (seat := :stream_id);`,
  }),
  E0451: entry<{ form: string; problem: string }>({
    severity: 'error',
    title: 'no moment for a command',
    message: (p) => `${p.form} ${p.problem}`,
    explanation:
      'AFTER takes a whole number of SECONDS, MINUTES, HOURS, DAYS or WEEKS, or an INTERVAL; it counts from the time of the event and is never ' +
      'negative. AT takes a TIMESTAMP. Both see the fields of the event only.',
    example: `${hold}CREATE REACTION Expire ON EVENT Held EXECUTE Release (seat := :stream_id) AFTER :minutes;`,
  }),
  E0452: entry<{ event: string; name: string; nearest: readonly string[]; known: readonly string[] }>({
    severity: 'error',
    title: 'unknown field of an event',
    message: (p) => `${p.event} has no field '${p.name}'${suggestion(p.nearest.map(bound), p.known.map(bound))}`,
    explanation:
      'A reaction reads the fields of its event as :field, and its facts: :stream_id, :event_id, :event_type, :seq, :occurred_at, ' +
      ':global_position, :correlation_id, and :due, the moment for which the command was planned. With several events only the fields that all of them have, with types that fit, can be read. VOLATILE fields are not stored.',
    example: `${hold}CREATE REACTION Expire ON EVENT Held EXECUTE Release (seat := :seat);`,
  }),
  E0453: entry<{ command: string }>({
    severity: 'warning',
    title: 'reaction with a command that nothing decides',
    message: (p) => `no decision decides '${p.command}' yet; until then the reaction cannot execute it`,
    explanation:
      'The reaction is accepted. An event that comes before the decision exists is parked and can be tried again.',
    example:
      'CREATE AGGREGATE Seat;\nCREATE COMMAND Release (seat STRING);\nCREATE EVENT Held ();\n' +
      'CREATE REACTION Expire ON EVENT Held EXECUTE Release (seat := :stream_id);',
  }),
  E0454: entry<{ name: string }>({
    severity: 'error',
    title: 'UNLESS without a time',
    message: (p) => `the command '${p.name}' does not wait, so no event can cancel it; give it an AFTER or AT`,
    explanation:
      'UNLESS EVENT cancels a command that waits for its time when one of the events comes first in the same stream.',
    example: `${hold}CREATE REACTION Expire ON EVENT Held EXECUTE Release (seat := :stream_id) UNLESS EVENT Released;`,
  }),
} as const;

function bound(name: string): string {
  return `:${name}`;
}
