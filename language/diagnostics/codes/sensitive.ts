import { entry } from '../define.ts';

/** E07xx: SENSITIVE values where they must not go (docs/language.md#sensitive-values). */
export const sensitive = {
  E0701: entry<{ field: string; source: string }>({
    severity: 'error',
    title: 'sensitive value into an open field',
    message: (p) => `field '${p.field}' is not SENSITIVE and cannot take a value that derives from ${p.source}`,
    explanation:
      'A secret stays a secret on its way into an event. Mark the field SENSITIVE, or store a one-way digest of the value.',
    example:
      'CREATE AGGREGATE Login;\nCREATE COMMAND Leak (user_id STRING, password STRING SENSITIVE);\nCREATE EVENT Leaky (plain STRING);\n' +
      'CREATE DECISION LeakIt FOR Login ON COMMAND Leak EMIT AS SELECT EVENT Leaky (plain := :password);',
  }),
  E0702: entry<{ column: string; where: string }>({
    severity: 'error',
    title: 'sensitive column outside the select list',
    message: (p) => `'${p.column}' is sensitive and not allowed in ${p.where}; it can only be selected, and is masked`,
    explanation:
      'A filter, an order, a group or a join reveals the values of its columns. A caller without the right sensitive:read sees sensitive columns masked in the ' +
      'select list, and uses them nowhere else.',
    example:
      'CREATE AGGREGATE Login;\nCREATE COMMAND Enrol (user_id STRING, ssn STRING SENSITIVE);\nCREATE EVENT Enrolled (ssn STRING SENSITIVE);\n' +
      'CREATE DECISION D FOR Login ON COMMAND Enrol EMIT AS SELECT EVENT Enrolled (ssn := :ssn);\n' +
      'SELECT seq FROM Reg."Login$Events" WHERE data.ssn IS NULL;',
  }),
  E0703: entry<{ aggregate: string }>({
    severity: 'error',
    title: 'sensitive stream id',
    message: (p) => `a sensitive value cannot name a stream of '${p.aggregate}'`,
    explanation: 'Stream ids are shown wherever a stream is named.',
    example:
      'CREATE AGGREGATE Login;\nCREATE COMMAND Enrol (user_id STRING, ssn STRING SENSITIVE);\nCREATE EVENT Enrolled ();\n' +
      'CREATE DECISION D FOR Login ON COMMAND Enrol EMIT AS SELECT EVENT Enrolled () TO Login(:ssn);',
  }),
} as const;
