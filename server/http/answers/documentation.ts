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

function queryCell(route: Route): string {
  const names = [
    ...(route.query.includes('page') ? ['limit', 'offset'] : []),
    ...(route.query.includes('after') ? ['after'] : []),
    ...(route.query.includes('filters') ? ['column=value'] : []),
  ];
  return names.map(code).join(', ');
}

function code(text: string): string {
  return `\`${text}\``;
}
