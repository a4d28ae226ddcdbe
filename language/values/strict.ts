/** A function that returns NULL as soon as one of its arguments is NULL, as most SQL functions do. */
export interface Strict<A extends readonly unknown[], R> {
  (...given: A): R;
  (...given: { [K in keyof A]: A[K] | null }): R | null;
}

type Functions = Readonly<Record<string, (...given: never[]) => unknown>>;
type StrictFunctions<T extends Functions> = { readonly [K in keyof T]: Strict<Parameters<T[K]>, ReturnType<T[K]>> };

/** Makes each of these functions over plain values accept NULLs. */
export function strict<T extends Functions>(functions: T): StrictFunctions<T> {
  const lifted = Object.entries(functions).map(([name, plain]) => {
    const called = plain as (...given: unknown[]) => unknown;
    return [name, (...given: unknown[]) => (given.includes(null) ? null : called(...given))];
  });
  return Object.fromEntries(lifted) as StrictFunctions<T>;
}
