import type { Chance } from '../crash/chance.ts';

/** A relation in FROM: its text, the condition for its row, and its columns. */
interface Source {
  readonly text: string;
  /** Absent when it always has at most one row. */
  readonly key?: string;
  readonly texts: readonly string[];
  readonly numbers: readonly string[];
}

const events = 'Reg."Box$Events"';
const sources: readonly [Source, ...Source[]] = [
  { text: 'Reg."Box$Agg"', key: 'aggregate_id', texts: ['aggregate_id', 'tag'], numbers: ['n'] },
  { text: 'Reg."Worth"', key: 'box', texts: ['box', 'last_tag'], numbers: ['worth'] },
  { text: 'Reg."Busy"', key: 'box', texts: ['box', 'tag'], numbers: ['moves'] },
  {
    text: `(SELECT data.tag AS t, COUNT(*) AS c, SUM(data.n) AS s FROM ${events} WHERE event_type = 'Put' GROUP BY data.tag)`,
    key: 't',
    texts: ['t'],
    numbers: ['c', 's'],
  },
  {
    text: `(SELECT MAX(data.tag) AS t, COUNT(*) AS c FROM ${events} WHERE stream_id = :id)`,
    texts: ['t'],
    numbers: ['c'],
  },
  {
    text: `(SELECT DISTINCT LAST(data.tag) AS t, SUM(data.n) AS c FROM ${events} WHERE stream_id = :tag HAVING COUNT(*) > 1 LIMIT 1)`,
    texts: ['t'],
    numbers: ['c'],
  },
  {
    text: '(SELECT a.tag AS t, a.n + 1 AS c FROM Reg."Box$Agg" a WHERE a.aggregate_id = :tag)',
    texts: ['t'],
    numbers: ['c'],
  },
];

/**
 * A STATE with at most one row, found by `:id`, `:tag`, literals and columns of earlier relations; its columns are `c0`
 * and so on.
 */
export function randomState({ below, pick }: Chance): string {
  const percent = (chance: number): boolean => below(100) < chance;
  let aliases = 0;

  interface Known {
    readonly texts: readonly string[];
    readonly numbers: readonly string[];
  }

  const given = (known: Known): string => pick([':id', ':tag', "'a'", ...known.texts]);
  const number = (known: Known): string => pick(['1', 'CAST(2 AS BIGINT)', ...known.numbers]);
  const condition = (known: Known, depth: number): string => {
    const text = given(known);
    switch (below(depth > 0 ? 7 : 4)) {
      case 0:
        return `${number(known)} > ${number(known)}`;
      case 1:
        return `${text} <> 'b'`;
      case 2:
        return `${text} IS ${percent(50) ? 'NOT ' : ''}NULL`;
      case 3:
        return `(${number(known)} < 3 OR ${text} = ${given(known)})`;
      case 4:
        return `EXISTS (${query(known, depth - 1)})`;
      case 5:
        return `NOT EXISTS (${query(known, depth - 1)})`;
      default: {
        const alias = `i${aliases++}`;
        const not = percent(50) ? ' NOT' : '';
        return `${text}${not} IN (SELECT ${alias}.tag FROM Reg."Box$Agg" ${alias} WHERE ${alias}.aggregate_id = ${given(known)})`;
      }
    }
  };

  const item = (known: Known, depth: number): string => {
    switch (below(depth > 0 ? 6 : 3)) {
      case 0:
        return number(known);
      case 1:
        return given(known);
      case 2:
        return `COALESCE(${number(known)}, 0) + 1`;
      case 3:
        return `(SELECT COUNT(*) FROM ${events} e${aliases} WHERE e${aliases}.stream_id = ${given(known)} AND e${aliases++}.data.n > 0)`;
      case 4:
        return `(${query(known, depth - 1)})`;
      default:
        return `CASE WHEN ${condition(known, depth)} THEN ${number(known)} ELSE 0 END`;
    }
  };

  /** Makes a query of one column that may name the tables around it. */
  const query = (around: Known, depth: number, columns = 1): string => {
    let from = '';
    const known = { texts: [...around.texts], numbers: [...around.numbers] };
    const where: string[] = [];
    const tables: string[] = [];
    const count = 1 + below(2);
    for (let place = 0; place < count; place++) {
      const source = pick(sources);
      const alias = `r${aliases++}`;
      const isTable = around.texts.length === 0 && source.text.startsWith('(') && percent(50);
      if (isTable) tables.push(`w${alias} AS ${source.text}`);
      const relation = `${isTable ? `w${alias}` : source.text} ${alias}`;
      const found = source.key === undefined ? [] : [`${alias}.${source.key} = ${given(known)}`];
      const isLeft = place > 0 && percent(50);
      if (percent(25)) found.push(condition(known, 0));
      if (place === 0) from = relation;
      else if (isLeft) from += ` LEFT JOIN ${relation} ON ${found.length === 0 ? 'TRUE' : found.join(' AND ')}`;
      else if (percent(50)) from += ` CROSS JOIN ${relation}`;
      else from = `${relation} JOIN ${from} ON ${found.length === 0 ? 'TRUE' : found.splice(0).join(' AND ')}`;
      if (!isLeft) where.push(...found);
      known.texts.push(...source.texts.map((name) => `${alias}.${name}`));
      known.numbers.push(...source.numbers.map((name) => `${alias}.${name}`));
    }
    if (percent(40)) where.push(condition(known, depth));
    const items = Array.from({ length: columns }, (_, at) =>
      columns === 1 ? `COALESCE(${number(known)}, 7)` : `${item(known, depth)} AS c${at}`,
    );
    const head = tables.length === 0 ? '' : `WITH ${tables.join(', ')} `;
    return `${head}SELECT ${items.join(', ')} FROM ${from}${where.length === 0 ? '' : ` WHERE ${where.join(' AND ')}`}${percent(20) ? ' LIMIT 1' : ''}`;
  };

  return query({ texts: [], numbers: [] }, 2, 2);
}
