/** Precedence of operators, as in PostgreSQL: a higher number binds tighter. Shared by reading and printing. */
export const precedence = {
  or: 1,
  and: 2,
  not: 3,
  is: 4,
  comparison: 5,
  /** BETWEEN, IN, LIKE. */
  predicate: 6,
  /** `||`, `->`, `->>`. */
  other: 7,
  additive: 8,
  multiplicative: 9,
  /** AT TIME ZONE. */
  zone: 10,
  unary: 11,
  cast: 12,
  /** Parts that never need parentheses. */
  primary: 13,
} as const;

/** The precedence of each binary operator; all associate to the left, except that comparisons do not associate. */
export const binaryPrecedence = {
  OR: precedence.or,
  AND: precedence.and,
  'IS DISTINCT FROM': precedence.is,
  'IS NOT DISTINCT FROM': precedence.is,
  '=': precedence.comparison,
  '<>': precedence.comparison,
  '<': precedence.comparison,
  '<=': precedence.comparison,
  '>': precedence.comparison,
  '>=': precedence.comparison,
  '||': precedence.other,
  '+': precedence.additive,
  '-': precedence.additive,
  '*': precedence.multiplicative,
  '/': precedence.multiplicative,
  '%': precedence.multiplicative,
} as const;
