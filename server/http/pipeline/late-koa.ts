import Koa, { type Context } from 'koa';

type Layer = (context: Context) => Promise<void>;

/** Koa's own part in a request, which its types leave out. */
interface Handling {
  handleRequest: (this: Koa, context: Context, layer: Layer) => Promise<void>;
}

/**
 * A Koa application whose own part in a request begins when its layer has left the answer to it. Koa would begin before, and listen for the
 * end of every answer on the answer and on its connection. That is a twelfth of a command (docs/performance/commands.md),
 * and an answer that the layer has sent needs none of it.
 */
export function createLateKoa(): Koa {
  const koa: Koa & Partial<Handling> = new Koa();
  const { handleRequest } = koa;
  if (handleRequest === undefined) throw new Error('this version of Koa handles requests in another way');
  koa.handleRequest = async (context, layer) => {
    const { res } = context;
    res.statusCode = 404; // as Koa does
    try {
      await layer(context);
    } catch (error) {
      context.onerror(error as Error);
      return;
    }
    if (context.respond === false) return;
    const { statusCode } = res;
    await handleRequest.call(koa, context, () => {
      res.statusCode = statusCode;
      return Promise.resolve();
    });
  };
  return koa;
}
