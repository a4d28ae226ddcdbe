import { failures, type FailureCode } from '../../../language/failure/catalogue.ts';
import type { FailureKind } from '../../../language/failure/define.ts';
import { Failure } from '../../../language/failure/failure.ts';
import { mostFaults, wholeMessage, type Fault } from '../../../language/failure/faults.ts';
import { Refused } from '../../../runtime/delivery/refused.ts';
import { RightMissing } from '../../operation/allow.ts';
import { TextRefused } from '../../operation/text-refused.ts';
import { Busy } from '../../operation/room/busy.ts';
import { parseRanges } from './accept.ts';
import { Problem } from './problem.ts';
import { refusals, type RefusalCode } from './refusals.ts';
import { statusOfFailure } from './status-of-failure.ts';
import { withoutPaths } from './without-paths.ts';

/** The parts of a thrown error that a caller learns. */
export interface Refusal {
  readonly code: RefusalCode | FailureCode;
  readonly status: number;
  readonly title: string;
  /** A single sentence. */
  readonly message: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly faults: readonly Fault[];
}

/** An error that is no `Problem`, no `Failure`, no refusal and no missing right is a fault of this program, of which callers learn nothing. */
export function refusalOf(error: unknown, where: 'console' | 'elsewhere'): Refusal {
  if (error instanceof Failure) return ofFailure(error, where);
  const { code, message, headers, faults } = problemOf(error);
  return { code, ...refusals[code], message, headers, faults };
}

const codes: Readonly<Record<Refused['because'], RefusalCode>> = {
  'no row': 'H4044',
  'nothing to send': 'H4045',
  'no task': 'H4046',
  'beyond the end': 'H4091',
  'not held': 'H4092',
  'not served': 'H4093',
  'other delivery': 'H4094',
  'not answered': 'H4095',
  'no place': 'H5035',
};

/** Seconds after which a client that found no place may try again. */
const waits: { readonly [because in Refused['because']]?: Readonly<Record<string, string>> } = {
  'no place': { 'Retry-After': '5' },
};

function ofFailure({ code, kind, message, field, faults }: Failure, where: 'console' | 'elsewhere'): Refusal {
  const said = kind === 'store' ? withoutPaths(message) : message;
  return {
    code,
    status: statusOfFailure(kind, where),
    title: failures[code].title,
    message: said,
    headers: headersOf[kind] ?? {},
    faults: faults.length > 0 || field === undefined || kind !== 'input' ? faults : [{ field, message: said }],
  };
}

const headersOf: { readonly [kind in FailureKind]?: Readonly<Record<string, string>> } = {
  busy: { 'Retry-After': '1' },
  credentials: { 'WWW-Authenticate': 'Bearer error="invalid_token"' },
};

function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof TextRefused) return ofText(error);
  if (error instanceof RightMissing) return new Problem('H4031', error.message);
  if (error instanceof Refused) return new Problem(codes[error.because], error.message, waits[error.because]);
  if (error instanceof Busy) return new Problem('H5031', error.message, { 'Retry-After': '1' });
  if (!isShortage(error)) return new Problem('H5001', 'internal error');
  return new Problem('H5034', 'too many files and connections are open now; try again', { 'Retry-After': '1' });
}

/** A text of the language, in a field of the body. */
function ofText({ of, why, message, messages }: TextRefused): Problem {
  const code = why === 'forbidden' ? 'H4033' : of === 'sql' ? 'H4007' : 'H4006';
  const faults = messages.map((each) => ({ field: of, message: each, pointer: `/${of}` }));
  return new Problem(code, message, {}, faults);
}

/** A file, a connection or a thread that the system refused; a moment later it may succeed. */
function isShortage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ['EMFILE', 'ENFILE', 'ERR_WORKER_INIT_FAILED'].includes((error as NodeJS.ErrnoException).code ?? '');
}

export const problemType = 'application/problem+json';

/** Whether an `Accept` names `application/problem+json`; no wildcard does. */
export function acceptsProblem(accept: string | undefined): boolean {
  return accept !== undefined && parseRanges(accept).some(({ value, weight }) => value === problemType && weight > 0);
}

/** The body of a refusal: exactly `{"error"}`, or all that there is to tell (RFC 9457). */
export function refusalText({ code, status, title, message, faults }: Refusal, asProblem: boolean): string {
  const errors = faults.slice(0, mostFaults).map((fault) => ({
    ...(fault.field === undefined ? {} : { field: fault.field }),
    message: wholeMessage(fault),
    ...(fault.pointer === undefined ? {} : { pointer: fault.pointer }),
  }));
  const body = asProblem
    ? { type: `urn:schemac:${code}`, title, status, detail: message, code, errors }
    : { error: message };
  return `${JSON.stringify(body)}\n`;
}
