import type { Span } from '../source/span.ts';
import { catalogue, type Code, type ParametersOf } from './catalogue.ts';
import type { CodeEntry } from './define.ts';
import type { Diagnostic, Fix, Related } from './diagnostic.ts';

/** Makes a diagnostic from the catalogue; the code decides which parameters must be given. */
export function diagnose<C extends Code>(
  code: C,
  span: Span,
  parameters: ParametersOf<C>,
  more: { readonly related?: readonly Related[]; readonly fix?: Fix } = {},
): Diagnostic {
  const found = catalogue[code] as unknown as CodeEntry<ParametersOf<C>>;
  return {
    code,
    severity: found.severity,
    message: found.message(parameters),
    span,
    related: [...(more.related ?? []), ...applicationsOf(span)],
    ...(more.fix === undefined ? {} : { fix: more.fix }),
  };
}

/** The places where the templates that made a place were applied, innermost first. */
export function applicationsOf(span: Span): readonly Related[] {
  const applied: Related[] = [];
  for (let at = span.applied; at !== undefined; at = at.applied) {
    // A template that applies itself has one place, however often it is applied.
    if (!isSamePlace(applied.at(-1)?.span, at)) applied.push({ message: 'applied here', span: at });
  }
  return applied;
}

function isSamePlace(one: Span | undefined, other: Span): boolean {
  return one?.file === other.file && one.start === other.start && one.end === other.end;
}
