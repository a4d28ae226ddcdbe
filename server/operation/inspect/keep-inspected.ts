/** Records an inspection of a request as a session does (docs/language.md#inspections), with the statement that asks the same in a session. */
import { printName, quoteString } from '../../../compiler/index.ts';
import type { Column } from '../../../language/contract/query.ts';
import type { Domain } from '../../../language/contract/domain.ts';
import type { ProjectionDefinition } from '../../../language/contract/relation.ts';
import { printTimestamp } from '../../../language/values/timestamp.ts';
import type { Table } from '../../../runtime/engine/outcome.ts';
import type { Raw } from '../../../runtime/engine/raw.ts';
import { unmasked } from '../../../runtime/engine/unmasked.ts';
import { readCommand } from '../../../runtime/engine/decide.ts';
import { createHandlers } from '../../../runtime/engine/handlers.ts';
import { field } from '../../../runtime/engine/state.ts';
import { identityOf } from '../caller.ts';
import { branchesOf, keepInput, keepOutput, putRecord } from '../kept.ts';
import type { AskedDecision, InspectAsked } from './asked.ts';
import type { Begun } from './inspect.ts';

interface Decided {
  readonly domain: Domain;
  readonly aggregates: readonly string[];
  readonly table: Table;
  readonly branches: Table;
}

/** Its commands become the recorded input, under the name of the target. */
export async function keepDecided(
  { present: { engine }, services, asked, options }: Begun,
  into: string,
  { name, commands }: AskedDecision,
  { domain, aggregates, table, branches }: Decided,
): Promise<void> {
  const outputs = [
    { name: into, columns: table.columns },
    { name: branchesOf(into), columns: branches.columns },
  ];
  await keepOutput(engine, { aggregates }, outputs, (add) => add([table.rows, branches.rows]));
  const command = commandOf(domain, name);
  const columns = command.fields.map(({ name: column, type, sensitive }): Column => ({
    name: column,
    type,
    nullable: true,
    sensitive,
  }));
  const handlers = createHandlers(domain);
  const caller = identityOf(options.caller);
  const rows = commands.map((sent) => {
    const { decoded } = readCommand(handlers, { command: command.name, arguments: sent, ...(caller && { caller }) });
    return columns.map((column) => field(decoded, column.name));
  });
  await keepInput(engine, into, aggregates, { name: into, columns, pages: [rows] });
  const fullSql = statementText(`DECISION ${printName({ text: name })}`, printName({ text: into }), into, asked);
  await putRecord(engine, { name: into, inspected: 'Decision', block: name, input: into, fullSql }, services.clock());
}

function commandOf({ decisions, commands }: Domain, decision: string): Domain['commands'][number] {
  const name = decisions.find((one) => one.name === decision)?.command;
  const found = commands.find((one) => one.name === name);
  if (found === undefined) throw new Error(`decision ${decision} has decided and has no command`);
  return found;
}

/** The events that a projection reads are not copied. */
export async function keepProjected(
  { present: { engine }, services, asked }: Begun,
  into: string,
  { name, aggregates }: ProjectionDefinition,
  table: Raw<Table>,
): Promise<void> {
  const { columns, rows } = unmasked(table);
  await keepOutput(engine, { aggregates }, [{ name: into, columns }], (add) => add([rows]));
  const input = aggregates.map((aggregate) => `Reg."${aggregate}$Events"`).join(', ');
  const fullSql = statementText(`PROJECTION ${printName({ text: name })}`, input, into, asked);
  await putRecord(engine, { name: into, inspected: 'Projection', block: name, input, fullSql }, services.clock());
}

function statementText(what: string, source: string, into: string, { asOf, schema }: InspectAsked): string {
  const moment =
    asOf === undefined
      ? ''
      : 'position' in asOf
        ? ` AS OF POSITION ${asOf.position}`
        : ` AS OF TIMESTAMP ${quoteString(printTimestamp(asOf.time))}`;
  const candidate = schema === undefined ? '' : ` WITH SCHEMA ${quoteString(schema)}`;
  return `INSPECT ${what} FROM ${source} INTO ${printName({ text: into })}${moment}${candidate};`;
}
