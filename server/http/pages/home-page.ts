/** The page at `/`: everything that is served, with links. */
import { blockKinds } from '../../../language/contract/block-kind.ts';
import type { Domain } from '../../../language/contract/domain.ts';
import { pageHead, pageTail, smallTable } from './frame.ts';
import { htmlText } from './html-text.ts';

export interface HomePage {
  readonly site: string;
  /** The version of the product; the page tells its class, `0.1` of `0.1.3`. */
  readonly version: string;
  readonly docsUrl: string | undefined;
  readonly hasMetrics: boolean;
  /** The registry, for a caller who may read it. */
  readonly domain: Domain | undefined;
}

/** Blocks of a kind that the page names; the others are in the registry. */
const mostNamed = 200;

export function homePage({ site, version, docsUrl, hasMetrics, domain }: HomePage): string {
  const versionClass = version.split('.', 2).join('.');
  const documentation = docsUrl ?? '/openapi.json';
  const links = [
    [link(documentation, 'Documentation'), 'every route of this server, for people'],
    [
      link('/openapi.json', '/openapi.json'),
      'the same for programs, as OpenAPI 3.1 (<code>Accept: application/json</code>)',
    ],
    ...(hasMetrics ? [[link('/metrics', '/metrics'), 'figures for Prometheus']] : []),
    [link('/health', '/health'), 'whether it is running'],
    [link('/ready', '/ready'), 'whether it takes commands'],
  ];
  const below = `<p>schemac ${htmlText(versionClass)}</p>`;
  return (
    pageHead(site, site, below) + smallTable([], links) + (domain === undefined ? '' : blocksHtml(domain)) + pageTail()
  );
}

function blocksHtml({ blocks, aggregates, projections, decisions }: Domain): string {
  const groups = blockKinds
    .map((kind) => [`${kind}s`, blocks.filter((block) => block.kind === kind).length] as const)
    .map(([group, count]) => `${link(`/api/reg/${group}`, group)} ${count}`);
  return [
    section('Aggregates', ['name', 'state', 'events'], aggregates, ({ name }) => [
      htmlText(name),
      link(`/api/aggregates/${name}`, 'state'),
      link(`/api/aggregates/${name}/events`, 'events'),
    ]),
    section('Projections', ['name', 'over the events of'], projections, ({ name, aggregates: of }) => [
      link(`/api/projections/${name}/query`, name),
      htmlText(of.join(', ')),
    ]),
    section('Commands', ['name', 'sent to'], decisions, ({ command, aggregate }) => [
      link(`/api/reg/commands/${command}/fields`, command),
      `<code>POST /api/aggregates/${htmlText(aggregate)}/execute/${htmlText(command)}</code>`,
    ]),
    `<h2>Registry</h2>\n<p>${groups.join(' · ')}</p>\n`,
  ].join('');
}

function section<T>(
  title: string,
  heads: readonly string[],
  all: readonly T[],
  cells: (one: T) => readonly string[],
): string {
  if (all.length === 0) return '';
  const named = all.slice(0, mostNamed);
  const left = all.length - named.length;
  const more = left === 0 ? '' : `<p>and ${left} more, which the registry lists</p>\n`;
  return `<h2>${title}</h2>\n${smallTable(heads, named.map(cells))}${more}`;
}

/** `to` is a path of this server or comes from its configuration, never from a caller. */
function link(to: string, text: string): string {
  return `<a href="${htmlText(to)}">${htmlText(text)}</a>`;
}
