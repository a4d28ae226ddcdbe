import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { style } from '../../server/http/wire/style.ts';
import { startSample } from './sample-server.ts';

const test = suite('pages');
const server = await startSample({ services: true, settings: { api: { title: 'Bikes & <more>' } } });
test.after(() => server.stop());

/** The header that Chromium sends. */
const browser = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8' };
const lang = `CREATE PROJECTION Odd AS
SELECT 'NULL' AS "<script>alert(1)</script>", NULL AS n, '' AS empty, 12.50 AS price, 9007199254740993 AS big, TRUE AS ok,
  'javascript:alert(1)' AS link, '</td></style><img src=x onerror="alert(''1'')">&' AS html, 'a\u202eb\u2066c\u200f' AS bidi,
  '👩\u200d💻' AS joined, 'a\u200db' AS "a\u202eb", TIMESTAMP '2026-01-01T00:00:00Z' AS at, 'two
lines' AS lines, '\u0001' AS control;
CREATE PROJECTION Wide AS SELECT repeat('<', 1000000) AS text;
CREATE PROJECTION Many AS SELECT stream_id, seq FROM Reg."Bike$Events" ORDER BY stream_id, seq;`;
const posted = await server.post('/api/lang/create', { lang });
assert.equal([posted.status, posted.status === 201 ? '' : await posted.text()], [201, '']);
await server.append(250, 10);

async function page(path: string, headers: Record<string, string> = {}): Promise<string> {
  const answer = await server.get(path, { ...browser, ...headers });
  assert.equal([path, answer.status, answer.headers.get('content-type')], [path, 200, 'text/html; charset=utf-8']);
  return answer.text();
}
/** The cells of each row, as HTML. */
function rowsOf(html: string): readonly (readonly string[])[] {
  const body = /<tbody>\n([^]*)<\/tbody>/.exec(html)?.[1] ?? '';
  const rows = body.split('</tr>\n').filter((row) => row !== '');
  return rows.map((row) =>
    [...row.matchAll(/<td(?: class="([\w ]+)")?>([^]*?)<\/td>/g)].map(
      ([, kind, text]) => `${kind === undefined ? '' : `${kind}: `}${text ?? ''}`,
    ),
  );
}
/** The text above the rows, with its links. */
function above(html: string): string {
  return /<p>(.*?)<\/p>/.exec(html)?.[1] ?? '';
}

test('values are text and nothing else', async () => {
  const html = await page('/api/projections/Odd/query');
  assert.equal(rowsOf(html), [
    [
      ...['NULL', 'null: NULL', '', 'n: 12.50', 'n: 9007199254740993', 'true', 'javascript:alert(1)'],
      '&lt;/td&gt;&lt;/style&gt;&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;',
      'a<span class="sign">U+202E</span>b<span class="sign">U+2066</span>c<span class="sign">U+200F</span>',
      '👩\u200d💻',
      'a<span class="sign">U+200D</span>b',
      ...['2026-01-01T00:00:00.000000Z', 'two\nlines', '<span class="sign">U+0001</span>'],
    ],
  ]);
  assert.match(html, '<th>&lt;script&gt;alert(1)&lt;/script&gt;<small>');
  assert.match(html, '<th class="n">price<small>DECIMAL(4,2)</small></th>');
  assert.match(html, '<th>a<span class="sign">U+202E</span>b<small>');
  assert.match(html, '<title>/api/projections/Odd/query · Bikes &amp; &lt;more&gt;</title>');
  // The only links are those of the frame.
  assert.equal(html.match(/<a [^>]*>/g), ['<a href="/">']);
});

test('a long value is cut, and says by how much', async () => {
  const html = await page('/api/projections/Wide/query');
  assert.equal(rowsOf(html), [[`${'&lt;'.repeat(2_000)}<span class="more"> … and 998,000 more characters</span>`]]);
});

test('a page may use its own style and nothing else, also when a browser shows its copy', async () => {
  const hash = createHash('sha256').update(style).digest('base64');
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`;
  for (const path of ['/', '/openapi.json', '/api/projections/Odd/query']) {
    const answer = await server.get(path, browser);
    const html = await answer.text();
    assert.equal([path, answer.headers.get('content-security-policy')], [path, policy]);
    assert.match(html, `<style>${style}</style>`);
    assert.not.match(html, /<(script|img|form|iframe)|<[^>]* (on\w+|style)=/i);
    assert.match(answer.headers.get('vary') ?? '', 'Accept,');
    const again = await server.get(path, { ...browser, 'If-None-Match': answer.headers.get('etag') ?? '' });
    assert.equal([path, again.status, again.headers.get('content-security-policy')], [path, 304, policy]);
    const json = await server.get(path, {
      Accept: 'application/json',
      'If-None-Match': answer.headers.get('etag') ?? '',
    });
    assert.equal([path, json.status], [path, path === '/' ? 404 : 200]);
    assert.is(json.headers.get('content-security-policy'), "default-src 'none'; frame-ancestors 'none'");
    await json.arrayBuffer();
  }
});

test('a page has 200 rows unless limit says otherwise, and leads to the next one', async () => {
  const cases: readonly (readonly [path: string, rows: number, said: string])[] = [
    ['/api/projections/Many/query', 200, '200 rows, there are more · <a rel="next" href="?offset=200">next page</a>'],
    ['/api/projections/Many/query?offset=200', 50, '50 rows from row 201 on · <a href="?">first page</a>'],
    [
      '/api/projections/Many/query?seq[gt]=1&limit=3&offset=3&stream_id=S-1',
      3,
      '3 rows from row 4 on, there are more · <a href="?seq[gt]=1&amp;limit=3&amp;stream_id=S-1">first page</a> · ' +
        '<a rel="next" href="?seq[gt]=1&amp;limit=3&amp;stream_id=S-1&amp;offset=6">next page</a>',
    ],
    ['/api/projections/Many/query?limit=250', 250, '250 rows'],
    ['/api/projections/Many/query?limit=0', 0, '0 rows'],
    ['/api/projections/Odd/query', 1, '1 row'],
    ['/api/aggregates/Bike/events', 200, '200 rows, there are more · <a rel="next" href="?after=200">next page</a>'],
    ['/api/aggregates/Bike/events?after=200', 50, '50 rows after position 200 · <a href="?">first page</a>'],
    [
      '/api/aggregates/Bike/events?order=global_position.desc&limit=2',
      2,
      '2 rows, there are more · <a rel="next" href="?order=global_position.desc&amp;limit=2&amp;offset=2">next page</a>',
    ],
    ['/api/reg/projections', 5, '5 rows'],
  ];
  for (const [path, rows, said] of cases) {
    const html = await page(path);
    assert.equal([path, rowsOf(html).length, above(html)], [path, rows, said]);
  }
  const counted = await page('/api/projections/Many/query?limit=2', { Prefer: 'count=exact' });
  assert.match(above(counted), '2 rows, 250 in all, there are more');
});

test('large events come in pieces, with the link to the next page below them', async () => {
  const large = await startSample();
  await large.append(30, 100_000, 3);
  const answer = await large.get('/api/aggregates/Bike/events?limit=20', browser);
  const html = await answer.text();
  assert.equal([answer.status, answer.headers.get('content-length')], [200, null]);
  assert.equal([rowsOf(html).length, above(html)], [20, 'At most 20 rows']);
  assert.match(
    html,
    '<footer><p><a rel="next" href="?limit=20&amp;after=20">next page</a></p></footer>\n</body>\n</html>\n',
  );
  const last = await (await large.get('/api/aggregates/Bike/events?limit=20&after=20', browser)).text();
  assert.equal([rowsOf(last).length, last.includes('next page')], [10, false]);
  await large.stop();
});

test('links hold what was asked, escaped', async () => {
  const html = await page('/api/projections/Many/query?limit=2&stream_id[ne]="><b>&seq[gt]=0');
  assert.match(html, 'href="?limit=2&amp;stream_id[ne]=%22%3E%3Cb%3E&amp;seq[gt]=0&amp;offset=2"');
});

test('more rows than a page shows are refused', async () => {
  for (const path of ['/api/projections/Many/query?limit=10001', '/api/aggregates/Bike/events?limit=99999999']) {
    const answer = await server.get(path, browser);
    const limit = /limit=(\d+)/.exec(path)?.[1] ?? '';
    assert.equal(
      [answer.status, await answer.json()],
      [
        400,
        { error: `parameter 'limit' is ${limit}, and a page shows at most 10000 rows; ask for JSON, CSV or Arrow` },
      ],
    );
  }
  const most = await page('/api/aggregates/Bike/events?limit=10000');
  assert.is(rowsOf(most).length, 250);
});

test('the page at / says what is served to those who may know it', async () => {
  const sha256 = createHash('sha256').update('t').digest('hex');
  const auth = { tokens: [{ sha256, subject: 's', roles: ['r'] }], roles: { r: ['read:meta_*'] } };
  const docsUrl = 'https://docs.example.org/?a&b';
  const policed = await startSample({ settings: { auth, docsUrl, metrics: 'off' }, version: '1.2.3' });
  const get = async (headers: Record<string, string>): Promise<readonly [status: number, html: string]> => {
    const answer = await policed.get('/', { ...browser, ...headers });
    return [answer.status, await answer.text()];
  };
  const links = (html: string): readonly string[] => [...html.matchAll(/<a href="([^"]*)"/g)].map(([, to = '']) => to);
  const common = ['/', 'https://docs.example.org/?a&amp;b', '/openapi.json', '/health', '/ready'];
  const [status, public_] = await get({});
  assert.equal([status, links(public_)], [200, common]);
  assert.match(public_, '<p>schemac 1.2</p>');
  assert.not.match(public_, /1\.2\.3|Bike/);
  const [, known] = await get({ Authorization: 'Bearer t' });
  assert.equal(links(known).slice(0, 9), [
    ...common,
    ...['/api/aggregates/Bike', '/api/aggregates/Bike/events', '/api/aggregates/Dock', '/api/aggregates/Dock/events'],
  ]);
  assert.is((await get({ Authorization: 'Bearer wrong' }))[0], 401);
  for (const Accept of ['*/*', 'text/*', 'application/json', 'text/html;q=0']) {
    const answer = await policed.get('/', { Accept });
    assert.equal(
      [Accept, answer.status, await answer.json()],
      [Accept, 404, { error: 'there is no resource at this path' }],
    );
  }
  await policed.stop();
  const links2 = links(await page('/'));
  assert.ok(links2.includes('/metrics') && links2.includes('/api/projections/Odd/query'));
});

test('/openapi.json is a page for people, and JSON for programs', async () => {
  const html = await page('/openapi.json');
  assert.match(html, '<a href="/api/aggregates/Bike"><code>/api/aggregates/Bike</code></a>');
  assert.match(
    html,
    '<td>explain, bike_id, model, price, limit?, code?</td><td><code>execute:Bike.RegisterBike</code></td>',
  );
  for (const Accept of ['application/json', '*/*', 'text/*', 'application/json, text/html', ''])
    assert.is(
      (await server.get('/openapi.json', { Accept })).headers.get('content-type'),
      'application/json; charset=utf-8',
    );
});

test.run();
