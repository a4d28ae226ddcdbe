import { spendText } from './text-budget.ts';

/** A function that returns NULL as soon as one of its arguments is NULL, as most SQL functions do. */
export interface Strict<A extends readonly unknown[], R> {
  (...given: A): R;
  (...given: { [K in keyof A]: A[K] | null }): R | null;
}

type Functions = Readonly<Record<string, (...given: never[]) => unknown>>;
type StrictFunctions<T extends Functions> = { readonly [K in keyof T]: Strict<Parameters<T[K]>, ReturnType<T[K]>> };

type Called = (...given: unknown[]) => unknown;

/** Makes each of these functions over plain values accept NULLs. */
export function strict<T extends Functions>(functions: T): StrictFunctions<T> {
  return each(
    functions,
    (called) =>
      (...given) =>
        given.includes(null) ? null : called(...given),
  );
}

/** `strict` for functions whose time grows with their texts: these are counted for the budget of a decision. */
export function strictOfTexts<T extends Functions>(functions: T): StrictFunctions<T> {
  return each(functions, (called) => {
    const counted = countingTexts(called);
    return (...given) => (given.includes(null) ? null : counted(...given));
  });
}

/** Counts the texts among the arguments before the call, and the result if it is a text. */
export function countingTexts<A extends readonly unknown[], R>(called: (...given: A) => R): (...given: A) => R {
  return (...given) => {
    let characters = 0;
    for (const argument of given) if (typeof argument === 'string') characters += argument.length;
    spendText(characters);
    const result = called(...given);
    if (typeof result === 'string') spendText(result.length);
    return result;
  };
}

function each<T extends Functions>(functions: T, lift: (called: Called) => Called): StrictFunctions<T> {
  const lifted = Object.entries(functions).map(([name, plain]) => [name, lift(plain as Called)]);
  return Object.fromEntries(lifted) as StrictFunctions<T>;
}
