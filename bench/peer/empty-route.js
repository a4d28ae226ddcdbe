/** A Koa server with one POST route that parses its JSON and answers 700 bytes: the cost of HTTP itself. */
import Router from '@koa/router';
import Koa from 'koa';

const answer = Buffer.alloc(700, 'x');
const router = new Router();
router.post('/', async (context) => {
  const chunks = [];
  for await (const chunk of context.req) chunks.push(chunk);
  JSON.parse(Buffer.concat(chunks).toString());
  context.type = 'application/octet-stream';
  context.body = answer;
});
const server = new Koa().use(router.routes()).listen(0, '127.0.0.1', () => {
  console.log(`serving on http://127.0.0.1:${server.address().port} now`);
});
process.once('SIGTERM', () => process.exit(0));
