import { error, warning } from '../define.ts';
import { withForm } from '../../values/input.ts';
import { suggestion } from '../suggestion.ts';

/** E03xx: types that do not exist, do not fit, or cannot be combined. */
export const types = {
  E0301: error<{ name: string; nearest: readonly string[]; instead?: string }>(
    (p) =>
      `there is no type '${p.name}'` +
      (p.instead !== undefined
        ? `; ${p.instead}`
        : suggestion(p.nearest) ||
          '; the types are STRING, UUID, INT, BIGINT, DECIMAL(p,s), DOUBLE, BOOLEAN, TIMESTAMP, DATE and JSON'),
  ),
  E0302: error<{ type: string; problem: string }>((p) => `${p.type}: ${p.problem}`),
  E0303: error<{
    literal: string;
    type: string;
    field?: string;
    nearest?: readonly string[];
    known?: readonly string[];
  }>(
    (p) =>
      `${p.field === undefined ? '' : `field '${p.field}': `}${p.literal} is not a valid ${withForm(p.type)}${suggestion(p.nearest ?? [], p.known)}`,
  ),
  E0304: error<{ problem: string }>((p) => p.problem),
  E0305: error<{ field: string; type: string; given: string }>(
    (p) => `field '${p.field}' is ${p.type} and cannot take a value of type ${p.given}`,
  ),
  E0306: error<{ where: string; type: string }>((p) => `${p.where} must be BOOLEAN, not ${p.type}`),
  E0307: error<{ where: string; left: string; right: string }>(
    (p) => `${p.where}: ${p.left} and ${p.right} have no common type`,
  ),
  E0308: error<{ from: string; to: string }>((p) => `${p.from} cannot be converted to ${p.to}`),
  E0309: error<{ left: string; right: string; operator: string }>(
    (p) =>
      `${p.left} ${p.operator} ${p.right}: a text and a number are not compared or computed silently; CAST one of them`,
  ),
  E0310: error<{ text: string }>((p) => `${p.text} has more digits than any type keeps exactly`),
  E0311: error<{ type: string; hint?: string }>(
    (p) => `a value of type ${p.type} has no fields${p.hint === undefined ? '' : `; ${p.hint}`}`,
  ),
  E0312: error<Record<never, never>>(() => `the key of data-> and data->> must be a string literal`),
  E0313: warning<{ field: string; type: string; given: string }>(
    (p) =>
      `field '${p.field}' is ${p.type} and keeps fewer digits than the ${p.given} it is given; CAST(… AS ${p.type}) says that this is meant`,
  ),
  E0314: warning<{ field: string; type: string; given: string }>(
    (p) =>
      `field '${p.field}' is ${p.type}, but a quotient of whole numbers is cut to ${p.given}; make one of them a DECIMAL to keep the fraction`,
  ),
  E0315: error<{ name: string; type: string }>((p) =>
    p.type === 'INTERVAL'
      ? `'${p.name}' cannot be an INTERVAL, which exists only in expressions; store EXTRACT(EPOCH FROM …), in seconds`
      : `'${p.name}' cannot be a ${p.type}, which exists only in expressions; store the instant, or a CAST to DATE or STRING`,
  ),
} as const;
