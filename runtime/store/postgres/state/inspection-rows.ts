/**
 * Tables of recorded inspections in the database, where every server on the log finds them: a row that describes each, and rows of pages. A new
 * table has its own generation of pages, and takes the place of the old one in one transaction.
 */
import type { Randomness } from '../../disk.ts';
import { tableFileName } from '../../side/inspection-files.ts';
import { JournalFailure } from '../../journal.ts';
import { refusedWrite } from '../../journal/log-failures.ts';
import type { InspectionTables, KeptTable, TableHead, TableWriter } from '../../side/inspection-tables.ts';
import { decodePages, encodeRows, type Lines } from '../../side/table-rows.ts';
import type { Answer, Connection } from '../connection.ts';
import type { Link } from '../link.ts';

const format = 1;
const prefix = 'inspection ';

interface StoredHead extends TableHead {
  readonly format: number;
  readonly rows: number;
  readonly pages: number;
}

export function createInspectionRows(link: Link, namespace: string, random: Randomness): InspectionTables {
  const values = `"${namespace}".side_value`;
  const pagesTable = `"${namespace}".side_page`;
  const use = async <T>(work: (connection: Connection) => Promise<T>): Promise<T> => {
    try {
      return await link.use(work);
    } catch (error) {
      throw error instanceof JournalFailure ? refusedWrite(error) : error;
    }
  };
  const ask = (text: string, parameters: readonly unknown[]): Promise<Answer> =>
    use((connection) => connection.query(text, parameters));
  const nameOf = (name: string): string => prefix + tableFileName(name);

  const write = (name: string, head: TableHead): TableWriter => {
    const key = nameOf(name);
    const generation = Buffer.from(random(8)).toString('hex');
    let rows = 0;
    let pages = 0;
    return {
      add: async (added) => {
        const body = encodeRows(head.columns, added);
        const insert = `INSERT INTO ${pagesTable} (name, generation, page, rows, body) VALUES ($1, $2, $3, $4, $5)`;
        await ask(insert, [key, generation, pages, added.length, body]);
        rows += added.length;
        pages += 1;
      },
      keep: async () => {
        const stored: StoredHead = { format, ...head, rows, pages };
        // A single statement, so that a reader sees the old table or the new one.
        await ask(
          `WITH dropped AS (DELETE FROM ${pagesTable} WHERE name = $1 AND generation <> $2)
           INSERT INTO ${values} (name, version, value) VALUES ($1, $2, $3)
           ON CONFLICT (name) DO UPDATE SET version = excluded.version, value = excluded.value`,
          [key, generation, JSON.stringify(stored)],
        );
      },
      discard: async () => {
        await ask(`DELETE FROM ${pagesTable} WHERE name = $1 AND generation = $2`, [key, generation]);
      },
    };
  };

  const pageOf = async (key: string, generation: string, page: number): Promise<string | undefined> => {
    const { rows } = await ask(`SELECT body FROM ${pagesTable} WHERE name = $1 AND generation = $2 AND page = $3`, [
      key,
      generation,
      page,
    ]);
    return rows[0]?.[0] ?? undefined;
  };

  const keptTable = (key: string, generation: string, head: StoredHead): KeptTable => {
    const { columns, about, rows } = head;
    async function* pages(): AsyncGenerator<Lines> {
      for (let page = 0; page < head.pages; page += 1) {
        const body = await pageOf(key, generation, page);
        if (body === undefined) throw new Error(`the table ${key} was replaced while it was read`);
        const lines = body.split('\n').slice(0, -1);
        yield { rows: lines.length, lines: () => lines };
      }
    }
    return {
      columns,
      rows,
      pages: (offset) => decodePages(columns, pages(), offset),
      ...(about !== undefined && { about }),
    };
  };

  return {
    write: (name, head) => Promise.resolve(write(name, head)),
    open: async (name) => {
      const key = nameOf(name);
      const { rows } = await ask(
        `SELECT v.version, v.value, (SELECT count(*) FROM ${pagesTable} p WHERE p.name = v.name AND p.generation = v.version)
         FROM ${values} v WHERE v.name = $1`,
        [key],
      );
      const [generation, value, found] = rows[0] ?? [];
      if (typeof generation !== 'string' || typeof value !== 'string') return 'missing';
      const head = JSON.parse(value) as StoredHead;
      return head.format === format && Number(found) === head.pages ? keptTable(key, generation, head) : 'damaged';
    },
    remove: async (name) => {
      await ask(`WITH dropped AS (DELETE FROM ${pagesTable} WHERE name = $1) DELETE FROM ${values} WHERE name = $1`, [
        nameOf(name),
      ]);
    },
    names: async () => {
      const { rows } = await ask(`SELECT name FROM ${values} WHERE starts_with(name, $1) ORDER BY name COLLATE "C"`, [
        prefix,
      ]);
      return rows.map(([name]) => (name ?? '').slice(prefix.length));
    },
  };
}
