import { createChangedDefinition } from './changed-definition.ts';
import { createLives } from './live.ts';
import { createPlaceWriter } from './logged-places.ts';
import { createOperating } from './operate.ts';
import { createReadAhead } from './read-ahead.ts';
import { createReturnRows } from './return-rows.ts';
import type { Subscriptions, SubscriptionsOptions } from './subscriptions.ts';
import { createNext } from './take-rows.ts';

export function createSubscriptions(options: SubscriptionsOptions): Subscriptions {
  const lives = createLives(options);
  const reading = createReadAhead(options, lives);
  const { follow, leftOut } = createChangedDefinition(options, lives);
  const { acknowledged, ...returning } = createReturnRows(options, lives, reading);
  return {
    next: createNext(options, lives, reading, follow, returning.giveBack),
    ...returning,
    ...createOperating(options, lives, reading, { follow, leftOut, acknowledged }),
    logPlaces: createPlaceWriter(options),
    close: lives.close,
  };
}
