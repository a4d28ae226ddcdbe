/** A Koa server that reads a small body and answers 700 bytes: what HTTP itself costs here. */
import Koa from 'koa';

const answer = Buffer.alloc(700, 'x');
const app = new Koa();
app.use(async (context) => {
  for await (const chunk of context.req) void chunk;
  context.type = 'application/octet-stream';
  context.body = answer;
});
const server = app.listen(0, '127.0.0.1', () => {
  console.log(`serving on http://127.0.0.1:${server.address().port}`);
});
process.once('SIGTERM', () => process.exit(0));
