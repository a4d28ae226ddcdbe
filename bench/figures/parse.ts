/** Whether parsing stays linear: twice the text, twice the time. */
import { parseScript } from '../../compiler/index.ts';
import { largeSchema } from '../large-schema.ts';
import type { Figure } from '../measure.ts';
import { alternate, cpuTimed } from '../measure.ts';
import { report } from '../report.ts';

await report(async ({ quick, rounds }) => {
  const base = quick ? 10 : 25;
  const texts = [1, 2, 4, 8, 16].map((times) => largeSchema(base * times));
  // Both sides parse the same amount of text, so that neither is too short to measure.
  const parse = (index: number) => async (): Promise<number> => {
    const repeats = 2 ** (texts.length - 1 - index);
    const time = await cpuTimed(() => {
      for (let repeat = 0; repeat < repeats; repeat++) parseScript({ name: 'large.schema', text: texts[index] ?? '' });
    });
    return time / repeats;
  };
  // The first rounds run before anything is compiled to machine code.
  for (let round = 0; round < 3; round++) await parse(0)();
  const figures: Figure[] = [];
  for (const [index, times] of [1, 2, 4, 8].entries()) {
    const [twice, once] = await alternate(rounds, parse(index + 1), parse(index));
    figures.push({
      name: `parse, twice the text at ${times}×`,
      unit: 'ratio (ms CPU)',
      goal: { at: 'most', value: 2.3 },
      value: twice / once,
      sides: [twice, once],
    });
  }
  return figures;
});
