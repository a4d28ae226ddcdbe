import { entry } from '../define.ts';
import { suggestion } from '../suggestion.ts';

const template = 'CREATE TEMPLATE Stamp (Entity, Fields) AS (\n  CREATE EVENT {{Entity}}Made ({{Fields}});\n);\n';

/** E05xx: templates and their expansions (docs/language.md#templates). */
export const templates = {
  E0501: entry<{ text: string }>({
    severity: 'error',
    title: 'placeholder outside a template',
    message: (p) => `${p.text} is outside a template's body`,
    explanation:
      'APPLY TEMPLATE fills in placeholders in double braces, so they have a meaning only in the body of a template.',
    example: 'CREATE AGGREGATE {{Entity}};',
  }),
  E0502: entry<{ name: string; nearest: readonly string[] }>({
    severity: 'error',
    title: 'unknown placeholder',
    message: (p) => `the template has no parameter '${p.name}'${suggestion(p.nearest)}`,
    explanation:
      'A placeholder names a parameter of its template, or a parameter that takes a list of fields with `Assignments` after it ' +
      '(for `Fields` also `FieldAssignments`).',
    example: 'CREATE TEMPLATE Stamp (Entity) AS (CREATE AGGREGATE {{Entitty}};);',
  }),
  E0503: entry<{ template: string; name: string }>({
    severity: 'error',
    title: 'missing template parameter',
    message: (p) => `template '${p.template}' needs a value for '${p.name}'`,
    explanation: 'APPLY TEMPLATE gives every parameter a value: `WITH (Parameter = value, …)`.',
    example: `${template}APPLY TEMPLATE Stamp WITH (Entity = 'Bag');`,
  }),
  E0504: entry<{ template: string; name: string; nearest: readonly string[] }>({
    severity: 'error',
    title: 'unknown template parameter',
    message: (p) => `template '${p.template}' has no parameter '${p.name}'${suggestion(p.nearest)}`,
    explanation: 'APPLY TEMPLATE may only give values to parameters that the template declares.',
    example: `${template}APPLY TEMPLATE Stamp WITH (Entity = 'Bag', Fields = (a INT), Colour = 'red');`,
  }),
  E0505: entry<{ name: string }>({
    severity: 'error',
    title: 'template parameter twice',
    message: (p) => `parameter '${p.name}' is given twice`,
    explanation: 'A template declares each parameter once, and APPLY TEMPLATE gives each one value.',
    example: 'CREATE TEMPLATE Stamp (Entity, Entity) AS (CREATE AGGREGATE {{Entity}};);',
  }),
  E0506: entry<{ name: string; type: string; found: string }>({
    severity: 'error',
    title: 'ill-typed template parameter',
    message: (p) => `parameter '${p.name}' takes ${p.type}, not ${p.found}`,
    explanation: 'A parameter declared with a type takes only values of that type.',
    example:
      "CREATE TEMPLATE Stamp (Entity, Size INT) AS (CREATE AGGREGATE {{Entity}} (size INT DEFAULT {{Size}}););\nAPPLY TEMPLATE Stamp WITH (Entity = 'Bag', Size = 'big');",
  }),
  E0507: entry<{ name: string; value: string }>({
    severity: 'error',
    title: 'value that makes no name',
    message: (p) =>
      `parameter '${p.name}' makes the name '${p.value}' here, and a name has letters, digits and _, at most 63, no digit first`,
    explanation:
      'In place of a name, or glued to one, a value must make a plain identifier. To use any text, put the placeholder in a string.',
    example: `${template}APPLY TEMPLATE Stamp WITH (Entity = 'my bag', Fields = (a INT));`,
  }),
  E0508: entry<{ name: string; expected: string; found: string }>({
    severity: 'error',
    title: 'placeholder in the wrong place',
    message: (p) => `${p.expected} is needed here, and parameter '${p.name}' is ${p.found}`,
    explanation:
      'A list of fields is allowed where fields are declared, its assignments where payload is assigned. Everywhere else a ' +
      'placeholder is one name or one literal, and NULL is never a name.',
    example: `${template}APPLY TEMPLATE Stamp WITH (Entity = (a INT), Fields = (a INT));`,
  }),
  E0509: entry<{ template: string; limit: number }>({
    severity: 'error',
    title: 'templates applied too deeply',
    message: (p) => `applying template '${p.template}' goes more than ${p.limit} templates deep`,
    explanation: 'A template may apply others, 16 deep. A template cannot apply itself: it would never end.',
    example:
      "CREATE TEMPLATE Loop (Name) AS (APPLY TEMPLATE Loop WITH (Name = '{{Name}}'););\nAPPLY TEMPLATE Loop WITH (Name = 'x');",
  }),
  E0510: entry<{ template: string; limit: string }>({
    severity: 'error',
    title: 'expansion too large',
    message: (p) => `the expansion of template '${p.template}' is larger than ${p.limit}`,
    explanation: 'One APPLY may expand to at most 1 MiB of text, including the templates it applies inside.',
    takes: 'a template whose expansion has more than 1 MiB',
  }),
  E0511: entry<{ statement: string }>({
    severity: 'error',
    title: 'statement that is not allowed in a template',
    message: (p) => `a template creates blocks; ${p.statement} is not allowed in its body`,
    explanation:
      'A body consists of CREATE statements of blocks (other than templates and tables) and of APPLY TEMPLATE.',
    example: 'CREATE TEMPLATE Stamp (Entity) AS (SELECT 1;);',
  }),
  E0513: entry<Record<string, never>>({
    severity: 'error',
    title: 'body without an end',
    message: () => "the '(' of this template's body is never closed",
    explanation:
      'A body that begins with AS ( goes up to the matching ). Count the parentheses of the statements inside.',
    example: 'CREATE TEMPLATE Stamp (Entity) AS (CREATE AGGREGATE {{Entity}};',
  }),
  E0514: entry<{ type: string; nearest: readonly string[] }>({
    severity: 'error',
    title: 'unknown type of a template parameter',
    message: (p) => `a template parameter cannot have type ${p.type}${suggestion(p.nearest)}`,
    explanation:
      'A parameter has no type, one of the types of fields, IDENTIFIER for a plain name, or FIELDS for a list of field declarations.',
    example: 'CREATE TEMPLATE Stamp (Entity COLOUR) AS (CREATE AGGREGATE {{Entity}};);',
  }),
  E0515: entry<{ template: string }>({
    severity: 'warning',
    title: 'statement inside a template without END',
    message: (p) =>
      `template '${p.template}' has no END TEMPLATE, so this statement is part of its body, although it has no parameter of it`,
    explanation:
      'The body of CREATE TEMPLATE … WITH (…) AS goes up to END TEMPLATE, and without that to the end of the text. A statement in it that has no placeholder, ' +
      'or applies the template itself, was probably meant to follow the template, where it would be checked and executed. Write END TEMPLATE; ' +
      'before it, or after the last statement if it does belong to the body.',
    example: 'CREATE TEMPLATE Stamp WITH (Entity) AS\n  CREATE AGGREGATE {{Entity}};\nCREATE AGGREGATE Shop;',
  }),
} as const;
