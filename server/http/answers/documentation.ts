import { equality, filterOperators, namesIn, operatorNames } from '../parameters/parameter-table.ts';
import type { Route } from '../pipeline/route.ts';

/** The route table as Markdown for the documentation: each row with its rights, parameters and answers. */
export function routeDocumentation(routes: readonly Route[]): string {
  const lines = routes.map((route) => {
    const cells = [
      code(`${route.method} ${route.path}`),
      route.rights.length === 0 ? 'none' : route.rights.map(code).join(', '),
      queryCell(route),
      [route.name === 'create' ? 201 : 200, ...route.statuses].join(' '),
      route.summary,
    ];
    return `| ${cells.join(' | ')} |`;
  });
  return ['| Route | Right | Parameters | Statuses | |', '|---|---|---|---|---|', ...lines, ''].join('\n');
}

/** The filters on a column as Markdown. */
export function filterDocumentation(): string {
  const all = [
    { parameter: 'column=value', ...equality },
    ...operatorNames.map((name) => ({ parameter: `column[${name}]=value`, ...filterOperators[name] })),
  ];
  const lines = all.map(({ parameter, summary, columns }) => `| ${code(parameter)} | ${summary} | ${columns} |`);
  return ['| Parameter | Rows where the column is | Columns of |', '|---|---|---|', ...lines, ''].join('\n');
}

function queryCell({ query }: Route): string {
  return [...namesIn(query), ...(query.includes('filters') ? ['column[operator]=value'] : [])].map(code).join(', ');
}

function code(text: string): string {
  return `\`${text}\``;
}
