import { test } from 'uvu';
import { holdPage } from '../docs/hold-page.ts';
import { pages } from '../docs/pages.ts';

for (const path of pages.filter((page) => page.startsWith('examples/'))) holdPage(path);

test.run();
