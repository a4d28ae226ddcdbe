import { failures, type FailureCode } from '../language/failure/catalogue.ts';
import { equality, filterOperators, namesIn, operatorNames } from '../server/http/parameters/parameter-table.ts';
import type { Route } from '../server/http/route.ts';
import { refusals } from '../server/http/wire/refusals.ts';
import { statusOfFailure } from '../server/http/wire/status-of-failure.ts';

/** The route table as Markdown for the documentation: each row with its rights, parameters and answers. */
export function routeDocumentation(routes: readonly Route[]): string {
  const lines = routes.map((route) => {
    const cells = [
      code(`${route.method} ${route.path}`),
      rightsCell(route),
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

/** Failures of starting, of files and of sessions, which no request meets. */
const notOverHttp: readonly FailureCode[] = [
  ...(['R0404', 'R0405', 'R0406', 'R0407', 'R0408', 'R0409', 'R0412', 'R0501', 'R0502', 'R0503'] as const),
  ...(['R0111', 'R0303'] as const),
];

/** The codes of refusals as Markdown, HTTP's own first. */
export function codeDocumentation(): string {
  const failed = (Object.keys(failures) as FailureCode[])
    .filter((code) => !notOverHttp.includes(code))
    .map((code) => ({ code, status: statusOfFailure(failures[code].kind, 'elsewhere'), title: failures[code].title }));
  const own = Object.entries(refusals).map(([code, entry]) => ({ code, ...entry }));
  const lines = [...own, ...failed].map(({ code: name, status, title }) => `| ${code(name)} | ${status} | ${title} |`);
  return ['| Code | Status | |', '|---|---|---|', ...lines, ''].join('\n');
}

function rightsCell({ rights, needs = [] }: Route): string {
  const all = [...rights, ...needs];
  return all.length === 0 ? 'none' : all.map(code).join(', ');
}

function queryCell({ query }: Route): string {
  return [...namesIn(query), ...(query.includes('filters') ? ['column[operator]=value'] : [])].map(code).join(', ');
}

function code(text: string): string {
  return `\`${text}\``;
}
