/** A fault of a request or a statement. */
export interface Fault {
  /** The argument, parameter or member; absent if the fault is of the whole. */
  readonly field?: string;
  /** A sentence that names the field. */
  readonly message: string;
  /** The allowed values, said once however many faults have them. */
  readonly allowed?: string;
  /** A JSON Pointer into the body (RFC 6901). */
  readonly pointer?: string;
}

/** Faults that a sentence names, and that are kept at all: a caller can make thousands in one request. */
const mostNamed = 20;
export const mostFaults = 100;

/** All faults in one sentence: a single one as it is, several behind `head`, the first 20 of them. */
export function sentenceOf(faults: readonly Fault[], head: (count: number) => string, count = faults.length): string {
  const [only] = faults;
  if (only !== undefined && count === 1) return wholeMessage(only);
  const said = new Set<string>();
  const named = faults.slice(0, mostNamed).map(({ message, allowed }) => {
    if (allowed === undefined || said.has(allowed)) return message;
    said.add(allowed);
    return `${message} (${allowed})`;
  });
  const left = count - named.length;
  return `${head(count)}: ${named.join('; ')}${left > 0 ? `; and ${left} more` : ''}`;
}

/** The fault in one sentence. */
export function wholeMessage({ message, allowed }: Fault): string {
  return allowed === undefined ? message : `${message}; ${allowed}`;
}
