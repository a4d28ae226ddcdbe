/** The account of the benchmarks written for emmett: `measure(store, commands, inFlight)` gives commands per second. */
import { CommandHandler } from '@event-driven-io/emmett';

const handle = CommandHandler({
  initialState: () => ({ balance: 0 }),
  evolve: ({ balance }, { data }) => ({ balance: balance + data.amount }),
});

const deposit = (amount) => (state) => {
  if (state.balance + amount < 0) throw new Error('not enough');
  return { type: 'Deposited', data: { amount } };
};

export async function measure(store, commands, inFlight) {
  let next = 0;
  const client = async () => {
    for (let number = next++; number < commands; number = next++) {
      await handle(store, `A-${number % 1000}`, deposit(5));
    }
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: inFlight }, client));
  return (commands * 1000) / (performance.now() - start);
}
