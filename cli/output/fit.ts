import { cellWidth } from '../../language/diagnostics/render/cell-width.ts';

/** The text in exactly `width` cells: padded with spaces on one side, or cut with `…`. */
export function fitText(text: string, width: number, side: 'left' | 'right' = 'left'): string {
  const shown = cutText(text, width);
  const space = ' '.repeat(Math.max(0, width - cellWidth(shown)));
  return side === 'left' ? shown + space : space + shown;
}

/** The text on lines of at most `width` cells. */
export function foldText(text: string, width: number): readonly string[] {
  if (cellWidth(text) <= width) return [text];
  const lines: string[] = [];
  let line = '';
  let used = 0;
  for (const { segment } of new Intl.Segmenter('en').segment(text)) {
    const next = cellWidth(segment);
    if (used + next > width && line !== '') {
      lines.push(line);
      line = '';
      used = 0;
    }
    line += segment;
    used += next;
  }
  return [...lines, line];
}

/** The text, cut with `…` if it takes more than `width` cells. */
export function cutText(text: string, width: number): string {
  if (cellWidth(text) <= width) return text;
  let shown = '';
  let used = 0;
  for (const { segment } of new Intl.Segmenter('en').segment(text)) {
    const next = cellWidth(segment);
    if (used + next > width - 1) break;
    shown += segment;
    used += next;
  }
  return `${shown}…`;
}

/** Takes cells from the widest columns until `widths` sum to `room`; no column gets narrower than `least` (or than it is). */
export function shrinkWidths(widths: readonly number[], room: number, least: number): readonly number[] {
  const fitted = [...widths];
  let excess = fitted.reduce((sum, width) => sum + width, 0) - room;
  while (excess > 0) {
    const widest = Math.max(...fitted);
    if (widest <= least) break;
    const next = Math.max(least, ...fitted.filter((width) => width < widest));
    const shared = fitted.filter((width) => width === widest).length;
    const step = Math.max(1, Math.min(widest - next, Math.ceil(excess / shared)));
    for (let index = 0; index < fitted.length && excess > 0; index++) {
      if (fitted[index] !== widest) continue;
      fitted[index] = widest - step;
      excess -= step;
    }
  }
  return fitted;
}
