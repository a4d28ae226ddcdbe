import { error, warning } from '../define.ts';
import { suggestion } from '../suggestion.ts';

/** E05xx: templates and their expansions (docs/language.md#templates). */
export const templates = {
  E0501: error<{ text: string }>((p) => `${p.text} is outside a template's body`),
  E0502: error<{ name: string; nearest: readonly string[] }>(
    (p) => `the template has no parameter '${p.name}'${suggestion(p.nearest)}`,
  ),
  E0503: error<{ template: string; name: string }>((p) => `template '${p.template}' needs a value for '${p.name}'`),
  E0504: error<{ template: string; name: string; nearest: readonly string[] }>(
    (p) => `template '${p.template}' has no parameter '${p.name}'${suggestion(p.nearest)}`,
  ),
  E0505: error<{ name: string }>((p) => `parameter '${p.name}' is given twice`),
  E0506: error<{ name: string; type: string; found: string }>(
    (p) => `parameter '${p.name}' takes ${p.type}, not ${p.found}`,
  ),
  E0507: error<{ name: string; value: string }>(
    (p) =>
      `parameter '${p.name}' makes the name '${p.value}' here, and a name has letters, digits and _, at most 63, no digit first`,
  ),
  E0508: error<{ name: string; expected: string; found: string }>(
    (p) => `${p.expected} is needed here, and parameter '${p.name}' is ${p.found}`,
  ),
  E0509: error<{ template: string; limit: number }>(
    (p) => `applying template '${p.template}' goes more than ${p.limit} templates deep`,
  ),
  E0510: error<{ template: string; limit: string }>(
    (p) => `the expansion of template '${p.template}' is larger than ${p.limit}`,
  ),
  E0511: error<{ statement: string }>((p) => `a template creates blocks; ${p.statement} is not allowed in its body`),
  E0513: error(() => "the '(' of this template's body is never closed"),
  E0514: error<{ type: string; nearest: readonly string[] }>(
    (p) => `a template parameter cannot have type ${p.type}${suggestion(p.nearest)}`,
  ),
  E0515: warning<{ template: string }>(
    (p) =>
      `template '${p.template}' has no END TEMPLATE, so this statement is part of its body, although it has no parameter of it`,
  ),
} as const;
