import type { SubscriptionDefinition } from '../../../language/contract/subscription.ts';
import { Overtaken } from '../../store/store.ts';
import type { HandedRow } from '../hand-out/subscriptions.ts';
import type { DeliveredRow } from '../hand-out/delivered-row.ts';
import { Refused } from '../refused.ts';
import { pauseAfter } from '../retry.ts';
import { createAttemptLog, type Attempt, type AttemptLog } from './attempt-log.ts';
import type { Claim } from './claim.ts';
import { messageOf } from './cloud-event.ts';
import { createEndpoint, type Endpoint } from './endpoint.ts';
import { within } from '../../outgoing/within.ts';
import type { Send, Sent } from './send.ts';
import { signedHeaders } from './signature.ts';
import type { Sockets } from './sockets.ts';
import type { Target } from './target.ts';
import { verdictOf, type Verdict } from './verdict.ts';
import type { WebhooksOptions } from './webhooks.ts';

export interface DeliveryOptions extends Pick<WebhooksOptions, 'subscriptions' | 'now' | 'chance' | 'pause' | 'warn'> {
  readonly name: string;
  /** Undefined once it is dropped or is no webhook any longer. */
  readonly current: () => SubscriptionDefinition | undefined;
  /** Lets one server of a shared log deliver at a time. */
  readonly claim: Claim;
  /** Its address and keys, or why there are none. */
  readonly targetOf: (definition: SubscriptionDefinition) => Target | { readonly problem: string };
  readonly send: Send;
  readonly sockets: Sockets;
  readonly source: string | undefined;
  readonly attempted: (outcome: Verdict['is']) => void;
}

/** Sends the rows of one subscription, several keys at a time, and one row of a key. */
export interface Delivery {
  readonly endpoint: Endpoint;
  readonly attempts: Pick<AttemptLog, 'recent' | 'byRow'>;
  /** Sends one row as a trial, without effect on the subscription. */
  readonly test: (row: DeliveredRow) => Promise<Attempt>;
  /** Begins no request any longer; resolves once those under way have ended. */
  readonly stop: () => Promise<void>;
  /** Ends those under way. */
  readonly cut: () => void;
  /** Resolves when nothing is delivered any longer. */
  readonly ended: Promise<void>;
}

const mostBytes = 512 * 1024;
/** Rows among which one is chosen while the endpoint fails. */
const probeRows = 16;
/** A lease outlives the longest attempt by this. */
const spareSeconds = 30;
const waitSeconds = 20;
/** ms between two looks at a subscription that cannot be delivered, and the longest sleep, after which an operator's change is seen. */
const look = 1000;

export function createDelivery(options: DeliveryOptions): Delivery {
  const { name, current, subscriptions, targetOf, claim, sockets, now, chance, pause, warn } = options;
  const stopping = new AbortController();
  const cutting = new AbortController();
  const endpoint = createEndpoint(now, chance);
  const underWay = new Set<Promise<void>>();
  /** The request that shows whether a failing endpoint works again; those that were under way before may last much longer. */
  let probing: Promise<void> | undefined;
  const attempts = createAttemptLog();
  /** The term of the claim for which all is prepared. */
  let begun: AbortSignal | undefined;
  /** Number of times that an operator had started the subscription when it was last read. */
  let started = 0;

  const post = async (
    definition: SubscriptionDefinition,
    target: Target,
    row: DeliveredRow,
    {
      attempt,
      test,
      signals,
    }: { readonly attempt: number; readonly test: boolean; readonly signals: readonly AbortSignal[] },
  ): Promise<{ readonly sent: Sent; readonly tried: Attempt } | { readonly bytes: number }> => {
    const { id, body } = messageOf(definition, row, { source: options.source, test });
    if (body.byteLength > mostBytes) return { bytes: body.byteLength };
    const at = now();
    const headers = {
      'content-type': 'application/cloudevents+json; charset=utf-8',
      'user-agent': 'schemac',
      ...signedHeaders(target.keys, { id, seconds: Math.floor(at / 1000), body }),
    };
    const { timeoutSeconds } = definition.options;
    const sent = await options.send({ url: target.url, headers, body, timeoutSeconds, signals });
    const tried = {
      position: row.position,
      attempt,
      at,
      milliseconds: now() - at,
      status: sent.is === 'answered' ? sent.status : undefined,
      error: errorOf(sent),
    };
    return { sent, tried };
  };

  const settle = async (
    definition: SubscriptionDefinition,
    { lease, row, verdict, began }: { lease: string; row: HandedRow; verdict: Verdict; began: number },
  ): Promise<void> => {
    const { firstDelaySeconds, longestDelaySeconds } = definition.options;
    options.attempted(verdict.is);
    switch (verdict.is) {
      case 'delivered':
        endpoint.succeeded(row);
        await subscriptions.acknowledge(name, lease, [row.position]);
        return;
      case 'gone':
        // Stopped first: a row that was given back would be taken again.
        await stopFor(`${verdict.reason}, which asks to send nothing any longer`);
        await subscriptions.giveBack(name, lease);
        return;
      case 'endpoint':
      case 'wait': {
        const whose = endpoint.failed(row, verdict, began, definition.options);
        if (whose === 'row') break;
        if (whose === 'over')
          await stopFor(`nothing was delivered for ${definition.options.giveUpHours} h: ${verdict.reason}`);
        await subscriptions.giveBack(name, lease);
        return;
      }
      case 'row':
        break;
    }
    const bound = pauseAfter(row.attempt, firstDelaySeconds, longestDelaySeconds);
    const delaySeconds = Math.round(chance() * bound * 1000) / 1000;
    await subscriptions.refuse(name, lease, { reason: verdict.reason, park: false, delaySeconds }, [row.position]);
  };
  const stopFor = async (reason: string): Promise<void> => {
    warn(`webhook ${name} stopped: ${reason}`);
    await subscriptions.stop(name, reason);
    endpoint.reset();
  };

  const deliver = async (
    definition: SubscriptionDefinition,
    target: Target,
    { lease, row, term }: { readonly lease: string; readonly row: HandedRow; readonly term: AbortSignal },
  ): Promise<void> => {
    try {
      const began = now();
      const signals = [cutting.signal, term];
      const posted = await post(definition, target, row, { attempt: row.attempt, test: false, signals });
      if ('bytes' in posted) {
        const reason = `the message has ${posted.bytes} bytes; at most ${mostBytes} are sent`;
        await subscriptions.refuse(name, lease, { reason, park: true }, [row.position]);
        return;
      }
      // The outcome of a request that was cut is unknown; the row is sent again.
      if (signals.some(({ aborted }) => aborted) && posted.sent.is !== 'answered') {
        await subscriptions.giveBack(name, lease);
        return;
      }
      const verdict = verdictOf(posted.sent, now());
      attempts.add(posted.tried, verdict.is === 'delivered');
      await settle(definition, { lease, row, verdict, began });
    } catch (error) {
      // An operator has begun at another position meanwhile.
      if (error instanceof Refused) return;
      // The outcome could not be kept. The row comes again, with the same id, at the latest when its lease runs out.
      endpoint.hold(look);
      warn(`webhook ${name}: ${messageOfError(error)}`);
      await subscriptions
        .giveBack(name, lease)
        .catch((again: unknown) => warn(`webhook ${name}: ${messageOfError(again)}`));
    }
  };

  const takeRow = async (definition: SubscriptionDefinition, target: Target, term: AbortSignal): Promise<void> => {
    const isProbe = endpoint.isFailing();
    const leaseSeconds = definition.options.timeoutSeconds + spareSeconds;
    const ends = [stopping.signal, term];
    const { lease, rows } = await within(ends, undefined, (signal) =>
      subscriptions.next(name, { max: isProbe ? probeRows : 1, waitSeconds, leaseSeconds, signal }),
    );
    if (lease === undefined) return;
    const place = await sockets.take(name, ends);
    const row = isProbe ? endpoint.probe(rows) : rows[0];
    const isHeld = endpoint.until() > now() || (endpoint.isFailing() && !isProbe);
    if (place === undefined || row === undefined || isHeld || ends.some(({ aborted }) => aborted)) {
      place?.();
      await subscriptions.giveBack(name, lease);
      return;
    }
    const others = rows.flatMap(({ position }) => (position === row.position ? [] : [position]));
    const delivering = deliver(definition, target, { lease, row, term }).finally(() => {
      place();
      underWay.delete(delivering);
      if (probing === delivering) probing = undefined;
    });
    underWay.add(delivering);
    if (isProbe) probing = delivering;
    if (others.length > 0) await subscriptions.giveBack(name, lease, others);
  };

  /** Waits for the end of a pause after a failure, or until an operator starts the subscription, at any server. */
  const waitFor = async (milliseconds: number): Promise<void> => {
    const seen = await subscriptions.starts(name);
    if (seen === started) await pause(Math.min(milliseconds, look), stopping.signal);
    else endpoint.reset();
    started = seen;
  };
  /** Rows that another server had under way when it stopped are sent again: they may have arrived or not. */
  const begin = async (next: AbortSignal): Promise<void> => {
    await Promise.all(underWay);
    await subscriptions.takeBack(name);
    endpoint.renew();
    // Known before the first request, so that a start directly after its failure is seen.
    started = await subscriptions.starts(name);
    begun = next;
  };
  const step = async (definition: SubscriptionDefinition): Promise<void> => {
    const target = targetOf(definition);
    // Another server may have what is missing here.
    if ('problem' in target) await claim.release();
    const term = 'problem' in target ? undefined : claim.term();
    if ('problem' in target || term === undefined) return pause(look, stopping.signal);
    if (term !== begun) return begin(term);
    const wait = endpoint.until() - now();
    if (wait > 0) return waitFor(wait);
    const isBusy = endpoint.isFailing() ? probing !== undefined : underWay.size >= definition.options.keysAtOnce;
    return isBusy ? Promise.race(underWay) : takeRow(definition, target, term);
  };
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const definition = current();
      if (definition?.webhook === undefined) break;
      try {
        await step(definition);
      } catch (error) {
        // The definition has changed meanwhile, or it is gone: the next round sees it.
        if (!(error instanceof Overtaken) && current() !== undefined) warn(`webhook ${name}: ${messageOfError(error)}`);
        await pause(look, stopping.signal);
      }
    }
    await Promise.all(underWay);
    await claim.release();
  };
  const ended = run();

  return {
    endpoint,
    attempts,
    test: async (row) => {
      const definition = current();
      if (definition === undefined) throw untestable(name, 'it is dropped');
      const target = targetOf(definition);
      if ('problem' in target) throw untestable(name, target.problem);
      const place = await sockets.take(name, [cutting.signal]);
      if (place === undefined) throw untestable(name, 'all connections of webhooks are taken');
      const trial = { attempt: 1, test: true, signals: [cutting.signal] };
      const posted = await post(definition, target, row, trial).finally(place);
      if ('bytes' in posted) throw untestable(name, `its message has ${posted.bytes} bytes`);
      return posted.tried;
    },
    stop: () => {
      stopping.abort();
      return ended;
    },
    cut: () => cutting.abort(),
    ended,
  };
}

export function untestable(name: string, problem: string): Refused {
  return new Refused('other delivery', `'${name}' cannot be tested: ${problem}`);
}

function errorOf(sent: Sent): string | undefined {
  if (sent.is !== 'answered') return sent.reason;
  return sent.status >= 200 && sent.status <= 299 ? undefined : `the receiver answered ${sent.status}`;
}

function messageOfError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
