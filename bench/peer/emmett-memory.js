/** `node emmett-memory.js <folder> <commands>` prints commands per second; nothing is kept. */
import { getInMemoryEventStore } from '@event-driven-io/emmett';
import { measure } from './emmett.js';

console.log(await measure(getInMemoryEventStore(), Number(process.argv[3]), 64));
