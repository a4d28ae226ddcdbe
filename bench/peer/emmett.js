/** The account of the benchmarks written for emmett: `measure(store, commands)` gives commands per second, 64 in flight. */
import { CommandHandler } from '@event-driven-io/emmett';

const handle = CommandHandler({
  initialState: () => ({ balance: 0 }),
  evolve: ({ balance }, { data }) => ({ balance: balance + data.amount }),
});

const deposit = (amount) => (state) => {
  if (state.balance + amount < 0) throw new Error('not enough');
  return { type: 'Deposited', data: { amount } };
};

export async function measure(store, commands) {
  let next = 0;
  // A stream has one command at a time: two of one stream would contradict each other, and emmett would fail one of them.
  const client = async () => {
    for (let number = next++; number < commands; number = next++) {
      await handle(store, `A-${number % 1000}`, deposit(5));
    }
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: 64 }, client));
  return (commands * 1000) / (performance.now() - start);
}
