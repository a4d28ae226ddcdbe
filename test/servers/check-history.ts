/**
 * Checks what several servers answered, with the log alone and without any code of the product that decides: the log is
 * the witness. Every event must follow from the state before it, every operation must come after all that was
 * acknowledged before it began, and every rejection must be true of some moment during its operation.
 */
import type { LogEntry } from '../../runtime/store/entry.ts';

export interface Operation {
  readonly command: string;
  readonly arguments: Readonly<Record<string, string | number>>;
  /** The largest entry that any server had acknowledged when it began. */
  readonly floor: number;
  /** The end of the log when it was answered. */
  readonly ceiling: number;
  /** `refused`: not executed. `unknown`: executed or not. */
  readonly told: 'emitted' | 'rejected' | 'refused' | 'unknown';
  /** Entry of the outcome. */
  readonly entry: number;
}

/** Balances as a server answered them. */
export interface Reading {
  readonly floor: number;
  readonly ceiling: number;
  readonly shown: number;
  readonly balances: Readonly<Record<string, number>>;
}

interface World {
  readonly balances: Map<string, number>;
  /** Nickname by member. */
  readonly members: Map<string, string>;
  readonly coupons: Map<string, number>;
}

type Arguments = Operation['arguments'];
/** Values that the decision sees in each event, in order; undefined when it rejects. */
type Rule = (world: World, given: Arguments) => readonly (number | undefined)[] | undefined;

const rules: Readonly<Record<string, Rule>> = {
  PayIn: ({ balances }, { account_id: id }) => [balances.get(String(id)) ?? 0],
  Move: ({ balances }, { source, target, amount }) => {
    const [have, other] = [balances.get(String(source)), balances.get(String(target))];
    if (have === undefined || other === undefined || source === target || have < Number(amount)) return undefined;
    return [have, other];
  },
  Enter: ({ members }, { member_id: id, nick }) =>
    members.has(String(id)) || [...members.values()].includes(String(nick)) ? undefined : [undefined],
  Leave: ({ members }, { member_id: id }) => (members.has(String(id)) ? [undefined] : undefined),
  Redeem: ({ coupons }, { coupon_id: id }) => {
    const used = coupons.get(String(id)) ?? 0;
    return used < 3 ? [used] : undefined;
  },
};

const effects: Readonly<Record<string, (world: World, given: Arguments) => void>> = {
  PayIn: ({ balances }, { account_id: id, amount }) => add(balances, id, Number(amount)),
  Move: ({ balances }, { source, target, amount }) => {
    add(balances, source, -Number(amount));
    add(balances, target, Number(amount));
  },
  Enter: ({ members }, { member_id: id, nick }) => members.set(String(id), String(nick)),
  Leave: ({ members }, { member_id: id }) => members.delete(String(id)),
  Redeem: ({ coupons }, { coupon_id: id }) => add(coupons, id, 1),
};

function add(map: Map<string, number>, key: string | number | undefined, amount: number): void {
  map.set(String(key), (map.get(String(key)) ?? 0) + amount);
}

/** A sentence for each violation. */
export function checkHistory(
  log: readonly LogEntry[],
  operations: readonly Operation[],
  readings: readonly Reading[],
): readonly string[] {
  const faults: string[] = [];
  const byMark = new Map(operations.map((operation) => [markOf(operation), operation]));
  const found = new Map<string, number>();
  const rejectionsAt = groupBy(operations.filter(isRejection), ({ entry }) => entry);
  const readingsAt = groupBy(readings, ({ shown }) => shown);
  const world: World = { balances: new Map(), members: new Map(), coupons: new Map() };
  let position = 0;

  const checkMoment = (number: number): void => {
    for (const operation of rejectionsAt.get(number) ?? []) {
      const rule = rules[operation.command];
      if (rule?.(world, operation.arguments) !== undefined)
        faults.push(`${markOf(operation)}: rejected at entry ${number}, where it is allowed`);
      if (number < operation.floor || number > operation.ceiling)
        faults.push(
          `${markOf(operation)}: rejected at entry ${number}, outside of ${operation.floor} to ${operation.ceiling}`,
        );
    }
    for (const { balances, floor, ceiling } of readingsAt.get(number) ?? []) {
      if (number < floor || number > ceiling)
        faults.push(`a reading shows entry ${number}, outside of ${floor} to ${ceiling}`);
      const right = JSON.stringify(Object.fromEntries([...world.balances].sort()));
      if (JSON.stringify(balances) !== right)
        faults.push(`a reading at entry ${number} shows ${JSON.stringify(balances)}, not ${right}`);
    }
  };

  checkMoment(0);
  for (const [index, entry] of log.entries()) {
    if (entry.number !== index + 1) faults.push(`entry ${entry.number} is the ${index + 1}th`);
    if (entry.kind === 'command' && entry.events.length > 0) {
      const events = entry.events.map(({ data }) => JSON.parse(data) as { mark: string; seen?: number });
      const mark = events[0]?.mark ?? '';
      const operation = byMark.get(mark);
      if (operation === undefined) faults.push(`entry ${entry.number} has the unknown mark ${mark}`);
      else {
        if (found.has(mark)) faults.push(`${mark}: is in the log twice`);
        found.set(mark, entry.number);
        const seen = rules[operation.command]?.(world, operation.arguments);
        const told = JSON.stringify(events.map((event) => event.seen));
        if (seen === undefined) faults.push(`${mark}: emitted at entry ${entry.number}, where it is not allowed`);
        else if (told !== JSON.stringify(seen))
          faults.push(`${mark}: saw ${told} at entry ${entry.number}, not ${JSON.stringify(seen)}`);
        effects[operation.command]?.(world, operation.arguments);
      }
      for (const event of entry.events)
        if (event.position !== ++position) faults.push(`event ${event.position} is the ${position}th`);
    }
    checkMoment(entry.number);
  }
  for (const operation of operations) {
    const mark = markOf(operation);
    const at = found.get(mark);
    if (operation.told === 'emitted' && at !== operation.entry)
      faults.push(`${mark}: acknowledged as entry ${operation.entry}, is ${at ?? 'gone'}`);
    if (at !== undefined && (operation.told === 'rejected' || operation.told === 'refused'))
      faults.push(`${mark}: ${operation.told}, and is entry ${at}`);
    if (at !== undefined && at <= operation.floor)
      faults.push(`${mark}: is entry ${at}, though ${operation.floor} was acknowledged before it began`);
    if (operation.told === 'rejected' && operation.entry > log.length) faults.push(`${mark}: rejected past the end`);
  }
  return faults;
}

function markOf({ arguments: { mark } }: Operation): string {
  return String(mark);
}

/** A recorded rejection is an entry itself, and its decision saw the one before. */
function isRejection({ told }: Operation): boolean {
  return told === 'rejected';
}

function groupBy<T>(items: readonly T[], key: (item: T) => number): ReadonlyMap<number, readonly T[]> {
  const groups = new Map<number, T[]>();
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item]);
  return groups;
}
