import { pagePolicy } from '../wire/style.ts';

/** On every answer, including errors of malformed HTTP. */
export const securityHeaders: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

const pageHeaders = { ...securityHeaders, 'Content-Security-Policy': pagePolicy };

/** A page may use its own style. A `304` for a page counts as one: browsers put its headers in place of those they kept. */
export function securityHeadersOf(isPage: boolean): Readonly<Record<string, string>> {
  return isPage ? pageHeaders : securityHeaders;
}
