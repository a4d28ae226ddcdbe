import { lineText, placeOf, type SourceFile } from '../../source/source-file.ts';
import type { Span } from '../../source/span.ts';
import { showLine } from './source-line.ts';
import { visibleText } from './visible.ts';

/** A range to underline, all labels of one frame in one file. */
export interface Label {
  readonly span: Span;
  readonly mark: '^' | '-';
  /** Printed after the underline. */
  readonly message?: string;
}

export interface FrameOptions {
  /** Cells a line of output may take. */
  readonly width: number;
  readonly paint: FramePaint;
}
export interface FramePaint {
  readonly gutter: (text: string) => string;
  readonly mark: (text: string, label: Label) => string;
}

/** The part of a label on one line: 0-based units of that line. */
interface Segment {
  readonly label: Label;
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly last: boolean;
}

/** Lines of a range longer than this are cut in its middle. */
const rangeLines = 4;

/** The lines of the labels, each followed by its underlines; omitted lines between them are one `...`. */
export function renderFrame(file: SourceFile, labels: readonly Label[], options: FrameOptions): readonly string[] {
  const segments = labels.flatMap((label) => segmentsOf(file, label));
  const lines = [...new Set(segments.map((segment) => segment.line))].sort((a, b) => a - b);
  const digits = String(lines.at(-1) ?? 0).length;
  const width = Math.max(20, options.width - digits - 4);
  const gutter = (text: string): string => options.paint.gutter(` ${text.padStart(digits)} |`);
  return lines.flatMap((line, index) => {
    const here = segments.filter((segment) => segment.line === line).sort((a, b) => a.start - b.start);
    const focus = here[0] ?? { start: 0, end: 0 };
    const shown = showLine(lineText(file, line), focus.start, focus.end, width);
    const underlines = here.map((segment) => {
      const { from, count } = shown.underline(segment.start, segment.end);
      const text = segment.label.mark.repeat(Math.min(count, Math.max(1, width - from)));
      const message =
        segment.last && segment.label.message !== undefined ? ` ${visibleText(segment.label.message)}` : '';
      return `${gutter('')} ${' '.repeat(from)}${options.paint.mark(text + message, segment.label)}`;
    });
    const previous = lines[index - 1];
    const gap = previous !== undefined && previous + 1 < line ? [options.paint.gutter(' ...')] : [];
    return [...gap, `${gutter(String(line))} ${shown.text}`.trimEnd(), ...underlines];
  });
}

function segmentsOf(file: SourceFile, label: Label): readonly Segment[] {
  const { start, end } = label.span;
  // A range that ends with its line's end belongs to that line alone.
  const inside = end > start && file.text[end - 1] === '\n' ? end - 1 : end;
  const first = placeOf(file, start);
  const last = placeOf(file, Math.max(start, inside));
  const segments: Segment[] = [];
  for (let line = first.line; line <= last.line; line++) {
    if (last.line - first.line >= rangeLines && line === first.line + 2) line = last.line;
    const text = lineText(file, line);
    segments.push({
      label,
      line,
      start: line === first.line ? first.column - 1 : text.length - text.trimStart().length,
      end: line === last.line ? last.column - 1 : text.length,
      last: line === last.line,
    });
  }
  return segments;
}
