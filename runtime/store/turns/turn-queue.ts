/** Work that waits for its turn, by number: work that has to run again goes back to its place, before everything later. */
export interface TurnQueue<T extends { readonly order: number }> {
  readonly add: (item: T) => void;
  readonly first: () => T | undefined;
  readonly take: () => T | undefined;
}

export function createTurnQueue<T extends { readonly order: number }>(): TurnQueue<T> {
  const items: T[] = [];
  return {
    add: (item) => {
      let place = items.length;
      while (place > 0 && (items[place - 1]?.order ?? 0) > item.order) place -= 1;
      items.splice(place, 0, item);
    },
    first: () => items[0],
    take: () => items.shift(),
  };
}
