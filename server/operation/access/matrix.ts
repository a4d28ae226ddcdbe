import type { Catalog } from '../../../compiler/index.ts';
import type { Table } from '../../../runtime/engine/outcome.ts';
import type { Row } from '../../../runtime/store/store.ts';
import type { Caller } from '../caller.ts';
import { may } from '../rights.ts';
import { textColumn } from './access-columns.ts';
import { accessibles, rowsShown, type CallerKnown } from './access.ts';

/** Rights by role, as a policy has them. */
export type RoleRights = Readonly<Record<string, readonly string[]>>;

/**
 * Relations and commands against the roles of a policy: the share of rows that a caller of this role alone sees, whose subject and claims are not
 * known, or `-` without the right.
 */
export function accessMatrix(catalog: Catalog, roles: RoleRights): Table {
  const columns = Object.entries(roles).map(([role, rights]) => {
    const caller: Caller = { subject: 'unknown', rights };
    return { role, caller, known: knownOfRole(role, caller) };
  });
  return {
    columns: ['kind', 'name', ...columns.map(({ role }) => role)].map(textColumn),
    rows: accessibles(catalog).map((one): Row => [
      ...[one.kind, one.name],
      ...columns.map(({ caller, known }) => (may(caller, one.right) ? rowsShown(one, known) : '-')),
    ]),
  };
}

function knownOfRole(role: string, caller: Caller): CallerKnown {
  return { seesAll: may(caller, 'rows:all'), hasRole: (asked) => asked === role, isNull: () => undefined };
}
