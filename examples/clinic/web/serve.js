// Serves this folder on http://127.0.0.1:8090: a page needs an origin, which `allowedOrigins` of the configuration names.
import { createReadStream } from 'node:fs';
import { createServer } from 'node:http';

const files = new Map([
  ['/', ['index.html', 'text/html; charset=utf-8']],
  ['/clinic.js', ['clinic.js', 'text/javascript; charset=utf-8']],
]);

createServer(({ url = '/' }, response) => {
  const [name, type] = files.get(new URL(url, 'http://localhost').pathname) ?? [];
  if (name === undefined) response.writeHead(404).end();
  else createReadStream(new URL(name, import.meta.url)).pipe(response.writeHead(200, { 'content-type': type }));
}).listen(8090, '127.0.0.1', () => console.log('open http://127.0.0.1:8090'));
