/** Schemas to post: chains and fans of projections, wide and deep definitions, very many of them, and mixtures. */
import type { Chance } from '../crash/chance.ts';

export const shapes = ['chain', 'sums', 'tables', 'fan', 'wide', 'deep', 'big', 'mix'] as const;
export type Shape = (typeof shapes)[number];

/**
 * `most`: about the largest number of blocks or parts. All names begin with `prefix`. They use an aggregate Box with a
 * state column n.
 */
export function randomSchema(chance: Chance, shape: Shape, prefix: string, most: number): string {
  const size = 1 + chance.below(most);
  switch (shape) {
    case 'chain':
      return chain(prefix, size, 1 + chance.below(3));
    case 'sums':
      return row(prefix, size, (before) => `SELECT id, n + n - n AS n FROM Reg.${before}`);
    case 'tables':
      return tables(prefix, size);
    case 'fan':
      return fan(prefix, size);
    case 'wide':
      return wide(prefix, size * 8);
    case 'deep':
      return deep(prefix, size);
    case 'big':
      return numbered(size, (index) => blocks(`${prefix}B${index}`)).join('');
    case 'mix': {
      const parts = 1 + chance.below(4);
      return numbered(parts, (index) => {
        const inner = shapes.filter((other) => other !== 'mix')[chance.below(shapes.length - 1)] ?? 'big';
        return randomSchema(chance, inner, `${prefix}M${index}`, Math.ceil(most / parts));
      }).join('');
    }
  }
}

export function lastProjection(text: string): string | undefined {
  return [...text.matchAll(/CREATE PROJECTION (\w+)/g)].at(-1)?.[1];
}

/** Each reads the one before `times` times. */
function chain(prefix: string, count: number, times: number): string {
  return row(prefix, count, (before) => {
    const joins = numbered(times - 1, (index) => ` JOIN Reg.${before} t${index + 1} ON t${index + 1}.id = t0.id`);
    return `SELECT t0.id, t${times - 1}.n AS n FROM Reg.${before} t0${joins.join('')}`;
  });
}

function row(prefix: string, count: number, query: (before: string) => string): string {
  const first = `CREATE PROJECTION ${prefix}P0 AS SELECT aggregate_id AS id, n::BIGINT AS n FROM Reg."Box$Agg";\n`;
  const rest = numbered(
    count,
    (index) => `CREATE PROJECTION ${prefix}P${index + 1} AS ${query(`${prefix}P${index}`)};\n`,
  );
  return first + rest.join('');
}

function tables(prefix: string, count: number): string {
  const rest = numbered(count, (index) => `w${index + 1} AS (SELECT a.id, a.n + a.n - a.n AS n FROM w${index} a)`);
  const first = `w0 AS (SELECT aggregate_id AS id, n::BIGINT AS n FROM Reg."Box$Agg")`;
  return `CREATE PROJECTION ${prefix}T AS WITH ${[first, ...rest].join(', ')} SELECT id, n FROM w${count};\n`;
}

/** Many projections that read one, and one that reads many. */
function fan(prefix: string, count: number): string {
  const readers = numbered(
    count,
    (index) => `CREATE PROJECTION ${prefix}F${index} AS SELECT id, n FROM Reg.${prefix}P0;\n`,
  );
  const all = numbered(Math.min(count, 400), (index) => `SELECT id, n FROM Reg.${prefix}F${index}`).join(' UNION ALL ');
  return `${row(prefix, 0, () => '')}${readers.join('')}CREATE PROJECTION ${prefix}All AS ${all};\n`;
}

function wide(prefix: string, count: number): string {
  const names = numbered(count, (index) => `f${index}`);
  const fields = names.map((name) => `${name} STRING`).join(', ');
  return (
    `CREATE AGGREGATE ${prefix}A (id STRING KEY);\nCREATE COMMAND ${prefix}C (id STRING, ${fields});\n` +
    `CREATE EVENT ${prefix}E (${fields});\nCREATE DECISION ${prefix}D FOR ${prefix}A ON COMMAND ${prefix}C ` +
    `EMIT AS SELECT EVENT ${prefix}E (${names.map((name) => `${name} := :${name}`).join(', ')});\n`
  );
}

/** A long chain of projections, nested queries, and brackets. */
function deep(prefix: string, count: number): string {
  let query = `SELECT id, n FROM Reg.${prefix}P${count}`;
  for (let level = 0; level < Math.min(count, 60); level += 1) query = `SELECT id, n FROM (${query}) d`;
  const brackets = `${'('.repeat(Math.min(count, 90))}1${' + 1)'.repeat(Math.min(count, 90))}`;
  return `${row(prefix, count, (before) => `SELECT id, n FROM Reg.${before}`)}CREATE PROJECTION ${prefix}D AS ${query};
CREATE PROJECTION ${prefix}N AS SELECT aggregate_id AS id, ${brackets} AS n FROM Reg."Box$Agg";\n`;
}

function blocks(name: string): string {
  return `CREATE AGGREGATE ${name} (id STRING KEY, owner STRING AS LAST(data.owner), total DECIMAL(12,2) AS SUM(data.amount));
CREATE COMMAND ${name}Do (id STRING, owner STRING, amount DECIMAL(12,2));
CREATE EVENT ${name}Done (owner STRING, amount DECIMAL(12,2));
CREATE DECISION ${name}Doing FOR ${name} ON COMMAND ${name}Do STATE AS SELECT total AS had FROM Reg."${name}$Agg" WHERE aggregate_id = :id
EMIT AS SELECT EVENT ${name}Done (owner := :owner, amount := :amount) WHERE :amount > 0;
CREATE PROJECTION ${name}Board AS SELECT owner, SUM(total) AS total FROM Reg."${name}$Agg" GROUP BY owner;
`;
}

function numbered<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}
