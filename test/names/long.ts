/**
 * `npm run test:names -- [words …]`: every word of `words.ts`, or those given, at every place of `places.ts`. A word that is not reserved is
 * written bare, a reserved one in quotes. Each is refused or works as a plain name does: built and loaded, executed, read, inspected,
 * exported and loaded again, formatted. Lists the refusals with how often each came.
 */
import { places } from './places.ts';
import { spelled, tryName } from './try-name.ts';
import { words } from './words.ts';

const asked = process.argv.slice(2);
const tally = { works: 0, refused: 0, faults: 0 };
const refusals = new Map<string, readonly string[]>();
for (const word of asked.length > 0 ? asked : words) {
  for (const place of places) {
    const verdict = await tryName(place, word);
    if (verdict === 'works') tally.works += 1;
    else if ('refused' in verdict) {
      tally.refused += 1;
      const message = `${place}: ${verdict.refused.replaceAll(word, '…')}`;
      refusals.set(message, [...(refusals.get(message) ?? []), word]);
    } else {
      tally.faults += 1;
      console.log(`FAULT ${place} ${spelled(place, word)}: ${verdict.fault}`);
    }
  }
}
for (const [message, refused] of refusals) console.log(`refused as ${message} (${refused.join(' ')})`);
console.log(`${tally.works} work, ${tally.refused} are refused, ${tally.faults} faults`);
process.exitCode = tally.faults === 0 ? 0 : 1;
