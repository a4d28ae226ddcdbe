/** Data as JSON: a line for each member of an object, and for each item of a list, so that a change shows as one line. */
export function catalogText(data: object): string {
  return `${linesOf(data, '\n')}\n`;
}

function linesOf(data: unknown, end: string): string {
  if (typeof data !== 'object' || data === null) return JSON.stringify(data);
  const inside = `${end}  `;
  const pieces = Array.isArray(data)
    ? data.map((item) => JSON.stringify(item))
    : Object.entries(data).map(([key, value]) => `${JSON.stringify(key)}: ${linesOf(value, inside)}`);
  const [open, close] = Array.isArray(data) ? '[]' : '{}';
  return pieces.length === 0 ? `${open}${close}` : `${open}${inside}${pieces.join(`,${inside}`)}${end}${close}`;
}
