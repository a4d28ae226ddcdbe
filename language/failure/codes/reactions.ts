import { failure } from '../define.ts';

/** R06xx. Reactions, and the clock that they follow. */
export const reactions = {
  R0601: failure<{ reaction: string; most: number }>({
    kind: 'schema',
    title: 'too many reactions in a row',
    message: (p) =>
      `reaction '${p.reaction}': ${p.most} reactions led to this event, one after the other; it is not answered`,
    explanation:
      'Reactions answer the events of each other in a circle. Break it with a guard, or with an AFTER or AT of a second or more, behind which the ' +
      'count begins again.',
  }),
  R0602: failure<{ given: string }>({
    kind: 'input',
    title: 'reserved command id',
    message: (p) => `the command id '${p.given}' begins with $, which is reserved for reactions`,
    explanation:
      'Reactions give their commands ids that begin with $, so that each has its effect once. Use another id.',
  }),
  R0603: failure<Record<string, never>>({
    kind: 'input',
    title: 'a clock that cannot be moved',
    message: () => 'ADVANCE CLOCK moves the clock of a session in memory; other stores follow the clock of the system',
    explanation:
      'Scripts of `schemac run` and `schemac test` and the prompt have a clock of their own while they work in memory.',
  }),
  R0604: failure<{ problem: string }>({
    kind: 'input',
    title: 'invalid move of the clock',
    message: (p) => `ADVANCE CLOCK: ${p.problem}`,
    explanation:
      'The clock of a session goes forward only, by a whole number of SECONDS to WEEKS or to a TIMESTAMP, up to the year 9999.',
  }),
  R0605: failure<{ reaction: string; most: number; root: number }>({
    kind: 'schema',
    title: 'too many commands follow from one event',
    message: (p) =>
      `reaction '${p.reaction}': more than ${p.most} commands follow from the event at position ${p.root}; nothing further that follows from it is answered`,
    explanation:
      'Each step of a circle of reactions leads to more commands than the one before. Let a step emit fewer events, or break the circle with a guard. ' +
      'A task that an operator has answered again begins a count of its own.',
  }),
} as const;
