import { parseQuery, type AsOf, type Statement } from '../../compiler/index.ts';
import { fail } from '../../language/failure/failure.ts';

/**
 * The statement as of the moment of its session, if it has none of its own (docs/tool.md#the-past). Throws R0506 for a command, which is
 * decided now, and for a text that is no moment.
 */
export function atDefault(statement: Statement, moment: string): Statement {
  switch (statement.kind) {
    case 'Execute':
      throw fail('R0506', { what: `this session is as of ${moment}, and EXECUTE`, problem: 'is decided now' });
    case 'CreateTable':
      return statement.source.kind === 'Values' ? statement : { asOf: momentOf(moment), ...statement };
    case 'QueryStatement':
    case 'InspectDecision':
    case 'InspectProjection':
    case 'InspectReaction':
    case 'Export':
      return { asOf: momentOf(moment), ...statement };
    case 'Explain': {
      const { target } = statement;
      return target.type === 'query' ? { ...statement, target: { asOf: momentOf(moment), ...target } } : statement;
    }
    default:
      return statement;
  }
}

/** Digits are a position; everything else is a time. */
function momentOf(moment: string): AsOf {
  const written = /^\d+$/.test(moment) ? `POSITION ${moment}` : `TIMESTAMP '${moment.replaceAll("'", "''")}'`;
  const parsed = parseQuery({ name: 'as of', text: `SELECT 1 AS OF ${written}` });
  if (parsed.outcome === 'query' && parsed.asOf !== undefined) return parsed.asOf;
  throw fail('R0506', { what: `'${moment}'`, problem: 'is no moment; write a position or an ISO 8601 time' });
}
