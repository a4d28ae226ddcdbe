import type { Curve, Series } from './curve.ts';

const [width, height] = [720, 360];
const [left, right, top, bottom] = [72, 168, 40, 48];
/** People who do not see all colours distinguish them (Okabe and Ito), on a light and on a dark page. */
const colours = ['#0072b2', '#d55e00', '#009e73', '#cc79a7'];

/** A picture of a curve: lines over numbers, on a logarithmic axis, or bars over names. */
export function drawCurve({ title, x, xs, y, series }: Curve): string {
  const most = roundUp(Math.max(...series.flatMap(({ values }) => values)));
  const place = (value: number): number => height - bottom - (value / most) * (height - top - bottom);
  const columns = xs.map((_, at) => left + ((at + 0.5) / xs.length) * (width - left - right));
  const isNamed = xs.some((one) => typeof one === 'string');
  const marks = isNamed ? bars(columns, place, series[0]) : series.map((one, at) => line(columns, place, one, at));
  const steps = [0, 0.25, 0.5, 0.75, 1].map((part) => {
    const at = place(part * most);
    return `<path d="M${left} ${at}H${width - right}" stroke="#8884"/>${text(left - 8, at + 4, shown(part * most), 'end')}`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12" fill="#777">
${text(left, 20, title, 'start', 'font-size="15" font-weight="bold"')}
${steps.join('\n')}
${columns.map((at, index) => text(at, height - bottom + 18, shown(xs[index] ?? ''), 'middle')).join('\n')}
${text((left + width - right) / 2, height - 8, `${x}${isNamed ? '' : ' (logarithmic)'}`, 'middle')}
${text(width - right + 12, top + 4, y, 'start')}
${marks.join('\n')}
</svg>
`;
}

function line(
  columns: readonly number[],
  place: (value: number) => number,
  { name, values }: Series,
  at: number,
): string {
  const colour = colours[at % colours.length] ?? '';
  const points = values.map((value, index) => [columns[index] ?? 0, round(place(value))] as const);
  const dots = points.map(([px, py]) => `<circle cx="${round(px)}" cy="${py}" r="3" fill="${colour}"/>`);
  const path = points.map(([px, py]) => `${round(px)} ${py}`).join('L');
  const label = text(width - right + 12, top + 26 + 18 * at, name, 'start', `fill="${colour}"`);
  return `<path d="M${path}" fill="none" stroke="${colour}" stroke-width="2"/>${dots.join('')}${label}`;
}

function bars(columns: readonly number[], place: (value: number) => number, series?: Series): readonly string[] {
  const half = Math.min(48, (width - left - right) / columns.length / 3);
  return (series?.values ?? []).map((value, index) => {
    const [at, upper] = [columns[index] ?? 0, place(value)];
    const box = `x="${round(at - half)}" y="${round(upper)}" width="${round(2 * half)}" height="${round(place(0) - upper)}"`;
    return `<rect ${box} fill="${colours[0]}"/>${text(at, upper - 6, shown(value), 'middle')}`;
  });
}

function text(x: number, y: number, said: string, anchor: 'start' | 'middle' | 'end', more = ''): string {
  const escaped = said.replace(/[&<>]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign] ?? '');
  return `<text x="${round(x)}" y="${round(y)}" text-anchor="${anchor}" ${more}>${escaped}</text>`;
}

/** A number as people write it: 12,300 or 8 or 1.23. */
export function shown(value: number | string): string {
  if (typeof value === 'string') return value;
  return Number.isInteger(value) || Math.abs(value) >= 100
    ? Math.round(value).toLocaleString('en')
    : value.toPrecision(3);
}

/** The next of 1, 2, 5, 10, … times a power of ten: the steps of an axis are round numbers then. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1e-9)));
  return ([1, 2, 4, 6, 8].find((factor) => factor * power >= value) ?? 10) * power;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
