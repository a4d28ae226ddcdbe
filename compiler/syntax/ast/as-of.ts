import type { Expression } from './expression.ts';
import type { NodeBase } from './node.ts';

/** `AS OF POSITION n`, `AS OF TIMESTAMP expression`, `AS OF EACH` (docs/language.md#the-past). */
export interface AsOf extends NodeBase<'AsOf'> {
  readonly unit: 'position' | 'timestamp' | 'each';
  /** Global position, a safe whole number from 0; with `position`. */
  readonly position?: number;
  /** With `timestamp`. */
  readonly time?: Expression;
}
