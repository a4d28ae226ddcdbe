import { may } from '../../operation/rights.ts';
import { Problem } from '../wire/problem.ts';
import { homePage } from '../pages/home-page.ts';
import type { Route } from '../route.ts';
import { takesPage } from '../representation/representation.ts';
import { titleOf } from '../settings.ts';

/** The page that a browser gets at the server's address (docs/http.md#in-a-browser). Other programs find nothing there. */
export const homeRoutes: readonly Route[] = [
  {
    name: 'home',
    method: 'GET',
    path: '/',
    summary: 'What is served, as a page, if Accept names text/html',
    rights: [],
    open: 'to all',
    answers: 'page',
    statuses: [401],
    query: [],
    freshness: 'store',
    local: true,
    resolve: ({ options, domain, caller, header }) => {
      if (!takesPage(header('accept'))) throw new Problem('H4041', 'there is no resource at this path');
      const { settings, version } = options;
      const text = (): string =>
        homePage({
          site: titleOf(settings),
          version,
          docsUrl: settings.docsUrl,
          hasMetrics: settings.metrics === 'here',
          domain: may(caller, 'read:meta_*') ? domain : undefined,
        });
      return { answer: () => ({ kind: 'text', type: 'text/html', text: text() }) };
    },
  },
];
