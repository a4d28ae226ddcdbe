import type { FailureKind } from '../../../language/failure/define.ts';

/** The HTTP status of a domain failure; the only place where the two vocabularies meet (docs/http.md#errors). */
export function statusOfFailure(kind: FailureKind, where: 'console' | 'elsewhere'): number {
  switch (kind) {
    case 'input':
      return 400;
    case 'credentials':
      return 401;
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
