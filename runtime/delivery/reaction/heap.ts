/** Items in an order: a binary heap, whose first item is known. */
export interface Heap<T> {
  readonly add: (item: T) => void;
  readonly first: () => T | undefined;
  readonly take: () => T | undefined;
}

export function createHeap<T>(isBefore: (a: T, b: T) => boolean): Heap<T> {
  const heap: T[] = [];
  const at = (index: number): T => heap[index] as T; // callers stay inside the heap
  const swap = (a: number, b: number): void => {
    [heap[a], heap[b]] = [at(b), at(a)];
  };
  return {
    add: (item) => {
      heap.push(item);
      for (let index = heap.length - 1; index > 0;) {
        const parent = (index - 1) >> 1;
        if (!isBefore(at(index), at(parent))) break;
        swap(index, parent);
        index = parent;
      }
    },
    first: () => heap[0],
    take: () => {
      const [first] = heap;
      const last = heap.pop();
      if (heap.length === 0 || last === undefined) return first;
      heap[0] = last;
      for (let index = 0; ;) {
        let least = index;
        for (const child of [2 * index + 1, 2 * index + 2])
          if (child < heap.length && isBefore(at(child), at(least))) least = child;
        if (least === index) return first;
        swap(index, least);
        index = least;
      }
    },
  };
}
