import { entry } from '../define.ts';
import { suggestion } from '../suggestion.ts';

/** E02xx: names that resolve to nothing, to two things, or to the wrong thing. */
export const names = {
  E0201: entry<{ kind: string; name: string; nearest: readonly string[] }>({
    severity: 'error',
    title: 'unknown block',
    message: (p) => `there is no ${p.kind} '${p.name}'${suggestion(p.nearest)}`,
    explanation:
      'A statement names a block that exists neither in the registry nor further down in the same text. ' +
      'Check the spelling, or create the block.',
    example: 'CREATE COMMAND Fill (tank_id STRING);\nCREATE EVENT Filled ();\nCREATE DECISION Pour FOR Tank ON COMMAND Fill EMIT AS SELECT EVENT Filled ();',
  }),
} as const;
