/** The end of the `/*` comment at `start`; comments nest, as in PostgreSQL. `undefined` when it is not closed before `end`. */
export function skipBlockComment(text: string, start: number, end: number): number | undefined {
  const mark = /\/\*|\*\//g;
  mark.lastIndex = start;
  let depth = 0;
  for (let found = mark.exec(text); found !== null && mark.lastIndex <= end; found = mark.exec(text)) {
    depth += found[0] === '/*' ? 1 : -1;
    if (depth === 0) return mark.lastIndex;
  }
  return undefined;
}
