/**
 * Diagnostics as text for people (docs/language.md#scripts). Takes diagnostics, gives text; never reads a file, an environment or a
 * terminal: colour and width are parameters.
 */
import { createColors } from 'picocolors';
import { placeOf } from '../source/source-file.ts';
import type { Span } from '../source/span.ts';
import type { Diagnostic, Severity } from './diagnostic.ts';
import { renderFrame, type FrameOptions, type Label } from './render/frame.ts';
import { visibleText } from './render/visible.ts';

export interface RenderOptions {
  readonly colour: boolean;
  /** Cells a line may take. */
  readonly width: number;
}

/**
 * A diagnostic, without a newline at its end:
 *     tank.schema:3:27 error[E0201]: there is no aggregate 'Tonk'; did you mean 'Tank'?
 *      3 | CREATE DECISION Pour FOR Tonk ON COMMAND Fill
 *        |                          ^^^^
 *       fix: write 'Tank'
 * Second ranges in the same file share the frame; those in other files follow under a `note`.
 */
export function renderDiagnostic(diagnostic: Diagnostic, options: RenderOptions): string {
  const colours = createColors(options.colour);
  const severity = { error: colours.red, warning: colours.yellow, info: colours.cyan }[diagnostic.severity];
  const frame: FrameOptions = {
    width: options.width,
    paint: { gutter: colours.dim, mark: (text, label) => (label.mark === '^' ? severity(text) : colours.cyan(text)) },
  };
  const { span } = diagnostic;
  const near = diagnostic.related.filter((related) => related.span.file === span.file);
  const far = diagnostic.related.filter((related) => related.span.file !== span.file);
  const labels: Label[] = [
    { span, mark: '^' },
    ...near.map((related): Label => ({ span: related.span, mark: '-', message: related.message })),
  ];
  const head = `${severity(`${diagnostic.severity}[${diagnostic.code}]`)}: ${visibleText(diagnostic.message)}`;
  return [
    `${colours.bold(showPlace(span))} ${head}`,
    ...renderFrame(span.file, labels, frame),
    ...far.flatMap((related) => [
      `${showPlace(related.span)} ${colours.cyan('note')}: ${visibleText(related.message)}`,
      ...renderFrame(related.span.file, [{ span: related.span, mark: '-' }], frame),
    ]),
    ...(diagnostic.fix === undefined ? [] : [`  ${colours.green('fix')}: ${visibleText(diagnostic.fix.title)}`]),
  ].join('\n');
}

/** `2 errors, 1 warning`; nothing for an empty list. */
export function countDiagnostics(diagnostics: readonly Diagnostic[]): string {
  const order: readonly Severity[] = ['error', 'warning', 'info'];
  return order
    .map((severity) => ({
      severity,
      count: diagnostics.filter((diagnostic) => diagnostic.severity === severity).length,
    }))
    .filter(({ count }) => count > 0)
    .map(({ severity, count }) => `${count} ${severity}${count === 1 || severity === 'info' ? '' : 's'}`)
    .join(', ');
}

/** `file:line:column`. */
export function showPlace(span: Span): string {
  const { line, column } = placeOf(span.file, span.start);
  return `${visibleText(span.file.name)}:${line}:${column}`;
}
