/** Lets other work of the thread have its turn if it is time for that, else gives undefined, so that nothing is awaited. */
export type GiveWay = () => Promise<void> | undefined;

/** Duration of a slice of long work, in ms. */
export const usualSlice = 5;

/** Divides long work into slices of this many milliseconds. `mayGoOn` is called after each turn of other work, and throws when the rest is useless. */
export function giveWay(slice: number, mayGoOn: () => void = () => undefined): GiveWay {
  let began = performance.now();
  return () => {
    if (performance.now() - began < slice) return undefined;
    return new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      mayGoOn();
      began = performance.now();
    });
  };
}
