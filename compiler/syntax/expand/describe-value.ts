import type { TemplateValue } from '../ast.ts';

/** The kind of a template argument, for a diagnostic. */
export function describeValue(value: TemplateValue): string {
  switch (value.type) {
    case 'string':
      return 'a string';
    case 'number':
      return 'a number';
    case 'boolean':
      return 'a boolean';
    case 'null':
      return 'NULL';
    case 'fields':
      return 'a list of fields';
  }
}
