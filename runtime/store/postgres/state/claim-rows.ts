/** Claims in the side tables of a log, by the clock of the database: the clocks of the servers may differ. */
import type { Claims } from '../../side/claims.ts';
import { JournalFailure } from '../../journal.ts';
import { refusedWrite } from '../../journal/log-failures.ts';
import type { Answer } from '../connection.ts';
import type { Link } from '../link.ts';

const prefix = 'claim ';

export function createClaimRows(link: Link, namespace: string): Claims {
  const values = `"${namespace}".side_value`;
  const ask = async (text: string, parameters: readonly unknown[]): Promise<Answer> => {
    try {
      return await link.use((connection) => connection.query(text, parameters));
    } catch (error) {
      throw error instanceof JournalFailure ? refusedWrite(error) : error;
    }
  };
  const now = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';
  return {
    take: async (work, holder, milliseconds) => {
      const { rows } = await ask(
        `INSERT INTO ${values} AS held (name, version, value) VALUES ($1, $2, (${now} + $3::bigint)::text)
         ON CONFLICT (name) DO UPDATE SET version = excluded.version, value = excluded.value
         WHERE held.version = excluded.version OR held.value::bigint < ${now}
         RETURNING name`,
        [prefix + work, holder, milliseconds],
      );
      return rows.length > 0;
    },
    leave: async (work, holder) => {
      await ask(`DELETE FROM ${values} WHERE name = $1 AND version = $2`, [prefix + work, holder]);
    },
  };
}
