/** Time before the next try: `first` after one failure, twice as long after each further one, and `longest` at most. */
export function pauseAfter(failures: number, first: number, longest: number): number {
  return Math.min(longest, first * 2 ** Math.min(failures - 1, 30));
}
