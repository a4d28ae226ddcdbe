/** The human form of `/openapi.json`: each operation with what it takes, by group. */
import type { ObjectSchema, OpenApiDocument, Operation, Parameter } from '../openapi/document.ts';
import { pageHead, pageTail, smallTable } from './frame.ts';
import { htmlText } from './html-text.ts';

export function apiPage({ info, tags, paths, components }: OpenApiDocument): string {
  const below =
    `<p>version ${htmlText(info.version)}. ${htmlText(info.description)}</p>\n` +
    `<p>Programs get this page as OpenAPI 3.1: <code>curl -H 'Accept: application/json' …/openapi.json</code></p>`;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const sections = tags.map(({ name, description }) => {
    const rows = operations
      .filter(({ operation }) => operation.tags.includes(name))
      .map(({ method, path, operation }) => [
        `<code>${method}</code>`,
        pathHtml(method, path),
        htmlText(operation.summary),
        takenHtml(operation, components),
        (operation['x-rights'] ?? []).map((right) => `<code>${htmlText(right)}</code>`).join('<br>'),
      ]);
    const table = smallTable(['', 'path', '', 'takes', 'right'], rows);
    return `<h2>${htmlText(name)}</h2>\n<p>${htmlText(description)}</p>\n${table}`;
  });
  return pageHead(info.title, 'Documentation', below) + sections.join('') + pageTail();
}

function pathHtml(method: string, path: string): string {
  const code = `<code>${htmlText(path)}</code>`;
  // A path without parameters can be opened; `/openapi.json` is this page.
  return method === 'GET' && !path.includes('{') ? `<a href="${htmlText(path)}">${code}</a>` : code;
}

/** The names of the query parameters, or of a command's arguments; optional arguments end with `?`. */
function takenHtml({ parameters, requestBody }: Operation, components: OpenApiDocument['components']): string {
  const query = parameters
    .map((parameter) => resolved<Parameter>(parameter, components.parameters))
    .flatMap((parameter) => (parameter?.in === 'query' ? [parameter.name ?? ''] : []));
  const body = resolved<ObjectSchema>(requestBody?.content['application/json'].schema, components.schemas);
  const required = body?.required ?? [];
  const fields = Object.keys(body?.properties ?? {}).map((name) => (required.includes(name) ? name : `${name}?`));
  return htmlText([...query, ...fields].join(', '));
}

function resolved<T extends { readonly $ref?: string }>(
  part: T | undefined,
  shared: Readonly<Record<string, T>> = {},
): T | undefined {
  return part?.$ref === undefined ? part : shared[part.$ref.slice(part.$ref.lastIndexOf('/') + 1)];
}
