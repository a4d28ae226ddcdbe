import type { FailureKind } from '../../../language/failure/catalogue.ts';

/** The status that a domain failure answers with; the one place where the two vocabularies meet (http-details.md section 3). */
export function statusOfFailure(kind: FailureKind, where: 'console' | 'elsewhere'): number {
  switch (kind) {
    case 'input':
      return 400;
    case 'forbidden':
      return 403;
    case 'missing':
      return 404;
    case 'schema':
      return where === 'console' ? 400 : 409;
    case 'budget':
      return where === 'console' ? 400 : 409;
    case 'expected-seq':
      return 412;
    case 'reused-id':
      return 422;
    case 'busy':
    case 'store':
      return 503;
  }
}
