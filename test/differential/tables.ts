import type { Value } from '../../language/values/type.ts';
import { valueOf, type Family } from './families.ts';
import type { Column } from './random-query-text.ts';

export interface Table {
  readonly name: string;
  readonly columns: readonly (Column & { readonly name: string })[];
  readonly rows: readonly (readonly Value[])[];
}

/** Rows as texts, one cell after the other between bars; an empty cell is NULL. */
function table(name: string, columns: Readonly<Record<string, Family>>, rows: readonly string[]): Table {
  const own = Object.entries(columns);
  return {
    name,
    columns: own.map(([column, family]) => ({
      name: /^[a-z]+$/.test(column) && column.length < 4 ? column : `"${column}"`,
      family,
    })),
    rows: rows.map((row) => {
      const cells = row.split('|').map((cell) => cell.trim());
      return own.map(([, family], at) => {
        const cell = cells[at] ?? '';
        return cell === '' ? null : valueOf(family, cell);
      });
    }),
  };
}

/** Small tables with NULLs, repeated rows, values at the ends of their types, and names that are keywords of one engine or another. */
export const tables: readonly Table[] = [
  table('t', { id: 'number', k: 'text', order: 'number', ok: 'truth' }, [
    '1|a|2|true',
    '2|a| |false',
    '3|b|0|',
    ' | |1|true',
  ]),
  table('u', { id: 'number', k: 'text', true: 'truth', value: 'number' }, [
    '1|a|false|3',
    '3|c|true|',
    '3| | |1',
    '9|b|true|2',
  ]),
  table('v', { id: 'number', index: 'text', rowid: 'number' }, ['1|a|7', '9|b|', '4| |1']),
  table('empty', { id: 'number', k: 'text' }, []),
  table('m', { id: 'number', price: 'exact', big: 'big', key: 'wide', day: 'day', at: 'instant' }, [
    '1|  1.25| 9223372036854775807| 999999999999.999999|2024-02-29|2024-02-29T00:00:00Z',
    '1|  1.25| 9223372036854775807| 999999999999.999999|2024-02-29|2024-02-29T00:00:00Z',
    '2| -0.50| 9223372036854775806| 999999999999.999998|2023-12-31|2024-02-29T12:30:00.000001Z',
    '3|      |-9223372036854775808|-999999999999.999999|          |',
    ' |  3.00|                   3|            3.000000|2024-03-01|2023-12-31T23:59:59.999999Z',
  ]),
  table('n', { id: 'number', big: 'big', price: 'exact', real: 'real', key: 'wide', day: 'day' }, [
    '1|9007199254740993|100.00|  0.5|   9007199254.740993|2024-02-29',
    '2|9007199254740992|  1.25| -3  |   9007199254.740992|2024-01-01',
    '4|               1|  1.00|100  |            1.000000|',
    ' |                |      |     |                    |2024-02-29',
  ]),
  table('d', { id: 'number', span: 'span', k: 'text', from: 'span', at: 'instant', clock: 'clock' }, [
    '1|1 day         |a|1 mon   |2026-10-25T00:30:00Z|2026-10-25T02:30:00',
    '1|24:00:00      |a|30 days |2026-10-25T00:30:00Z|2026-10-25T02:30:00',
    '2|-1 days       |b|        |2026-03-29T01:00:00Z|2026-03-29T03:00:00',
    '3|29 days 24:00 | |720:00  |                    |',
    ' |              |c|00:00:00|2024-02-29T00:00:00Z|2024-02-29T00:00:00',
  ]),
];
