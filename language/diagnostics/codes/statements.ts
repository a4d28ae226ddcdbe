import { error, warning } from '../define.ts';
import { withForm } from '../../values/input.ts';
import { suggestion } from '../suggestion.ts';

/** E09xx: EXECUTE, INSPECT and session tables. */
export const statements = {
  E0901: error<{ command: string; name: string; nearest: readonly string[]; known: readonly string[] }>(
    (p) => `command '${p.command}' takes no '${p.name}'${suggestion(p.nearest) || `; it takes ${p.known.join(', ')}`}`,
  ),
  E0902: error<{ command: string; name: string; type: string }>(
    (p) => `command '${p.command}' needs '${p.name}', which takes ${p.type}`,
  ),
  E0903: error<{ what: string; found: string }>(
    (p) => `${p.what} takes a literal or an expression of literals, not ${p.found}`,
  ),
  E0904: error<{ name: string; nearest: readonly string[]; known: readonly string[] }>(
    (p) => `EXECUTE … WITH has no option '${p.name}'${suggestion(p.nearest) || `; it takes ${p.known.join(', ')}`}`,
  ),
  E0905: error<{ name: string; takes: string }>((p) => `option '${p.name}' takes ${p.takes}`),
  E0906: error<{ command: string }>((p) => `command '${p.command}' has no decision yet, so nothing can be executed`),
  E0907: error<{
    command: string;
    name: string;
    type: string;
    given: string;
    nearest?: readonly string[];
    known?: readonly string[];
  }>(
    (p) =>
      `'${p.name}' of command '${p.command}' takes ${withForm(p.type)}, not ${p.given}${suggestion(p.nearest ?? [], p.known)}`,
  ),
  E0908: error<{ decision: string; field: string; columns: number }>(
    (p) => `INSPECT DECISION ${p.decision}: the source has no column for '${p.field}' (it has ${p.columns})`,
  ),
  E0909: error<{ name: string }>((p) => `'${p.name}' cannot be the target; INTO names a session table`),
  E0910: error<{ projection: string; problem: string }>((p) => `INSPECT PROJECTION ${p.projection}: ${p.problem}`),
  E0911: error<{ command: string; name: string }>((p) => `'${p.name}' of command '${p.command}' may not be NULL`),
  E0912: warning<{ statement: string }>(
    (p) => `${p.statement} is checked but not run: check, build and dev only define blocks`,
  ),
  E0913: error(
    () =>
      'AS OF EACH is for INSPECT DECISION FROM the recorded commands of its aggregate and for INSPECT REACTION FROM Reg."X$Events"; a query takes AS OF POSITION or AS OF TIMESTAMP',
  ),
  E0914: error(() => 'WITH SCHEMA takes CREATE of blocks other than event stores, DROP of blocks, and APPLY TEMPLATE'),
  E0915: error<{ reaction: string; problem: string }>((p) => `INSPECT REACTION ${p.reaction}: ${p.problem}`),
} as const;
