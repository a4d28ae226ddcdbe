/** SQL's three-valued logic over `true`, `false` and `null`. A right side given as a function is evaluated only where it matters. */

export type Truth = boolean | null;

export function and(a: boolean, b: boolean | (() => boolean)): boolean;
export function and(a: Truth, b: Truth | (() => Truth)): Truth;
export function and(a: Truth, b: Truth | (() => Truth)): Truth {
  if (a === false) return false;
  const right = typeof b === 'function' ? b() : b;
  return right === false ? false : a === null ? null : right;
}
export function or(a: boolean, b: boolean | (() => boolean)): boolean;
export function or(a: Truth, b: Truth | (() => Truth)): Truth;
export function or(a: Truth, b: Truth | (() => Truth)): Truth {
  if (a === true) return true;
  const right = typeof b === 'function' ? b() : b;
  return right === true ? true : a === null ? null : right;
}
export function not(a: boolean): boolean;
export function not(a: Truth): Truth;
export function not(a: Truth): Truth {
  return a === null ? null : !a;
}
