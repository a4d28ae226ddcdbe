/** Functions that are defined in both languages: with parameters that are read several times, and results that may be NULL. */
interface Definition {
  readonly name: string;
  readonly parameters: string;
  readonly returns: string;
  readonly body: string;
}

const definitions: readonly Definition[] = [
  { name: 'folded', parameters: 'x BIGINT', returns: 'BIGINT', body: 'x % 1000 + x % 7' },
  {
    name: 'picked',
    parameters: 'a BIGINT, b BIGINT',
    returns: 'BIGINT',
    body: 'CASE WHEN a > 1 THEN a ELSE COALESCE(b, a, 5) END',
  },
  {
    name: 'marked',
    parameters: 't TEXT',
    returns: 'TEXT',
    body: "LEFT(COALESCE(t, 'z') || UPPER(COALESCE(t, 'ä')), 4)",
  },
  {
    name: 'near',
    parameters: 'a BIGINT, b BIGINT',
    returns: 'BOOLEAN',
    body: 'ABS(a % 100 - b % 100) < 2 OR a IS NULL',
  },
  { name: 'rated', parameters: 'x DECIMAL(8,2)', returns: 'DECIMAL(8,2)', body: 'ROUND(x / 3, 1) + 0.25' },
];

export const ourFunctions = definitions
  .map(
    ({ name, parameters, returns, body }) => `CREATE FUNCTION ${name} (${parameters}) RETURNS ${returns} AS ${body};`,
  )
  .join('\n');

/** A call in this language converts its arguments as an assignment does; PostgreSQL takes the sum of BIGINTs, a numeric, for a numeric parameter only. */
export const postgresFunctions = definitions
  .map(({ name, parameters, returns, body }) => {
    const given = parameters.split(/, (?=\w+ )/).map((parameter) => parameter.replace(/^(\w+) (.+)$/, '$1::$2 AS $1'));
    const taken = parameters.replaceAll('BIGINT', 'NUMERIC');
    return `CREATE FUNCTION ${name} (${taken}) RETURNS ${returns} LANGUAGE sql IMMUTABLE AS $$ SELECT ${body} FROM (SELECT ${given.join(', ')}) AS given $$;`;
  })
  .join('\n');
