import type { Operation } from './check-history.ts';

/** A command of `historySchema`: most can be made impossible by those of others, and one stream is hot. */
export function chooseCommand(
  chance: () => number,
  mark: string,
  { accounts, coupon }: { readonly accounts: number; readonly coupon: number },
): Pick<Operation, 'command' | 'arguments'> {
  const account = (): string => `a${Math.floor(chance() * accounts)}`;
  const amount = 1 + Math.floor(chance() * 20);
  const member_id = `m${Math.floor(chance() * 4)}`;
  const payIn = (): Pick<Operation, 'command' | 'arguments'> => ({
    command: 'PayIn',
    arguments: { account_id: account(), amount, mark },
  });
  const choices: readonly (typeof payIn)[] = [
    payIn,
    () => ({ command: 'PayIn', arguments: { account_id: 'hot', amount, mark } }),
    () => ({ command: 'Move', arguments: { source: account(), target: account(), amount, mark } }),
    () => ({ command: 'Move', arguments: { source: account(), target: account(), amount, mark } }),
    () => ({ command: 'Enter', arguments: { member_id, nick: `n${Math.floor(chance() * 3)}`, mark } }),
    () => ({ command: 'Leave', arguments: { member_id, mark } }),
    () => ({ command: 'Redeem', arguments: { coupon_id: `c${coupon}`, mark } }),
  ];
  return (choices[Math.floor(chance() * choices.length)] ?? payIn)();
}
