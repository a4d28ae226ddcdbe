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
  const applied: Related[] = [];
  for (let at = span.applied; at !== undefined; at = at.applied) applied.push({ message: 'applied here', span: at });
  return {
    code,
    severity: found.severity,
    message: found.message(parameters),
    span,
    related: [...(more.related ?? []), ...applied],
    ...(more.fix === undefined ? {} : { fix: more.fix }),
  };
}
