/** Records an inspection of a request as a session does (docs/language.md#inspections): its tables beside the log, its record in the log. */
import { printName, quoteString } from '../../compiler/index.ts';
import type { Column } from '../../language/contract/query.ts';
import type { Domain } from '../../language/contract/domain.ts';
import type { ProjectionDefinition } from '../../language/contract/relation.ts';
import { printTimestamp } from '../../language/values/timestamp.ts';
import type { Engine } from '../../runtime/engine/engine.ts';
import type { Table } from '../../runtime/engine/outcome.ts';
import type { Raw } from '../../runtime/engine/raw.ts';
import { unmasked } from '../../runtime/engine/unmasked.ts';
import { field } from '../../runtime/engine/state.ts';
import { saveTable } from '../../runtime/store/save-table.ts';
import type { AskedDecision, InspectAsked } from '../http/options.ts';
import { branchesOf, keptName, putRecord } from '../registry/inspections.ts';
import { aboutText, keepInputTable } from './keep-input.ts';

interface Decided {
  readonly domain: Domain;
  readonly inspected: AskedDecision;
  readonly aggregate: string;
  readonly table: Raw<Table>;
  readonly branches: Raw<Table>;
}

/** Its commands become the recorded input, under the name of the target. */
export async function keepDecided(
  engine: Engine,
  asked: InspectAsked,
  into: string,
  { domain, inspected, aggregate, ...made }: Decided,
  now: bigint,
): Promise<void> {
  const { name, commands } = inspected;
  const [table, branches] = [unmasked(made.table), unmasked(made.branches)];
  const aggregates = [aggregate];
  const about = aboutText({ aggregates });
  const { inspectionTables } = engine.store;
  await saveTable(inspectionTables, keptName(into, 'output'), { columns: table.columns, about }, [table.rows]);
  const branchTable = keptName(branchesOf(into), 'output');
  await saveTable(inspectionTables, branchTable, { columns: branches.columns, about }, [branches.rows]);
  const command = commandOf(domain, name);
  const columns = command.fields.map(({ name: column, type, sensitive }): Column => ({
    name: column,
    type,
    nullable: true,
    sensitive,
  }));
  const rows = commands.map((sent) => {
    const decoded = command.decode(sent);
    return columns.map((column) => field(decoded, column.name));
  });
  await keepInputTable(engine, { name: into, columns, pages: [rows] }, { target: into, aggregates }, []);
  const fullSql = statementText(`DECISION ${printName({ text: name })}`, printName({ text: into }), into, asked);
  await putRecord(engine, { name: into, inspected: 'Decision', block: name, input: into, fullSql }, now);
}

function commandOf({ decisions, commands }: Domain, decision: string): Domain['commands'][number] {
  const name = decisions.find((one) => one.name === decision)?.command;
  const found = commands.find((one) => one.name === name);
  if (found === undefined) throw new Error(`decision ${decision} has decided and has no command`);
  return found;
}

/** The events that a projection reads are not copied. */
export async function keepProjected(
  engine: Engine,
  asked: InspectAsked,
  into: string,
  { definition, table }: { readonly definition: ProjectionDefinition; readonly table: Raw<Table> },
  now: bigint,
): Promise<void> {
  const { name, aggregates } = definition;
  const { columns, rows } = unmasked(table);
  const head = { columns, about: aboutText({ aggregates }) };
  await saveTable(engine.store.inspectionTables, keptName(into, 'output'), head, [rows]);
  const input = aggregates.map((aggregate) => `Reg."${aggregate}$Events"`).join(', ');
  const fullSql = statementText(`PROJECTION ${printName({ text: name })}`, input, into, asked);
  await putRecord(engine, { name: into, inspected: 'Projection', block: name, input, fullSql }, now);
}

/** The statement that asks the same in a session. */
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
