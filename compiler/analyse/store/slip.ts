/**
 * Whether `written` is `meant` with one typing error: a letter too many, too few, a wrong one, or two swapped. Unknown keys are legal, so
 * only certain typing errors may be refused.
 */
export function isSlip(written: string, meant: string): boolean {
  if (written === meant || Math.abs(written.length - meant.length) > 1) return false;
  let start = 0;
  while (start < written.length && written[start] === meant[start]) start++;
  const writtenRest = written.slice(start);
  const meantRest = meant.slice(start);
  return (
    writtenRest.slice(1) === meantRest.slice(1) ||
    writtenRest.slice(1) === meantRest ||
    writtenRest === meantRest.slice(1) ||
    (writtenRest[0] === meantRest[1] && writtenRest[1] === meantRest[0] && writtenRest.slice(2) === meantRest.slice(2))
  );
}
