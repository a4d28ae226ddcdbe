import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { CreateTemplate } from '../ast.ts';

export function checkTemplate(_template: CreateTemplate): readonly Diagnostic[] {
  return [];
}
