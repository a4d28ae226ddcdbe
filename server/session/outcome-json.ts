import { placeOf } from '../../language/source/source-file.ts';
import { writtenSpan, type Span } from '../../language/source/span.ts';
import { namedText, rejectionText } from '../../runtime/engine/rejection.ts';
import type { Outcome, Table } from '../../runtime/engine/outcome.ts';
import { writeJson } from '../../language/values/json-write.ts';
import { printTimestamp } from '../../language/values/timestamp.ts';
import type { Reacted } from '../../runtime/engine/reactions.ts';
import { typeName } from '../../language/values/type.ts';
import type { Problem, StatementOutcome } from './outcome.ts';

/** An outcome as one line of `run --json` (docs/tool.md#run---json): an object whose decimals are exact JSON numbers. */
export function outcomeJson(outcome: StatementOutcome): string {
  const head = `"statement_line":${placeOf(outcome.span.file, outcome.span.start).line},"kind":${text(outcome.kind)}`;
  const { reacted } = outcome;
  const reactions = reacted === undefined ? '' : `,"reacted":[${reacted.map(reactedText).join(',')}]`;
  return `{${head},${members(outcome)}${reactions}}`;
}

function members(outcome: StatementOutcome): string {
  switch (outcome.kind) {
    case 'create':
      return `"block":${text(outcome.block)},"name":${text(outcome.name)},"change":${text(outcome.change)}`;
    case 'drop':
      return `"block":${text(outcome.block)},"name":${text(outcome.name)},"change":"dropped"`;
    case 'apply':
      return `"template":${text(outcome.template)},"created":${JSON.stringify(outcome.created)}`;
    case 'execute':
      return executeMembers(outcome.outcome);
    case 'select':
      return tableMembers(outcome.table) + (outcome.asOf === undefined ? '' : `,"as_of":${outcome.asOf}`);
    case 'describe':
    case 'validate':
    case 'explain':
      return tableMembers(outcome.table);
    case 'inspect':
      return inspectMembers(outcome);
    case 'export':
      return `"text":${text(outcome.text)}`;
    case 'advance':
      return `"clock":${text(printTimestamp(outcome.to))}`;
    case 'caller':
      return `"caller":${outcome.subject === undefined ? 'null' : `{"subject":${JSON.stringify(outcome.subject)}}`}`;
    case 'error': {
      const [first, ...more] = outcome.problems.map(problemMembers);
      return `${first ?? ''},"more":[${more.map((problem) => `{${problem}}`).join(',')}]`;
    }
    default:
      return outcome satisfies never;
  }
}

function inspectMembers({ into, rows, rejected, overdue }: StatementOutcome & { readonly kind: 'inspect' }): string {
  const late = overdue === undefined ? '' : `,"overdue":${overdue}`;
  return `"into":${text(into)},"rows":${rows},"rejected":${rejected}${late}`;
}

function executeMembers(outcome: Outcome): string {
  const word = outcome.replayed ? 'replayed' : outcome.outcome;
  const events = outcome.events.map(
    (event) =>
      `{"event_type":${text(event.type)},"stream_type":${text(event.streamType)},"stream_id":${text(event.streamId)},"seq":${event.seq},"data":${namedText(event.fields)}}`,
  );
  const { rejection } = outcome;
  const rejected = rejection === undefined ? '' : `,"rejection":${rejectionText(rejection)}`;
  return `"outcome":${text(word)},"events":[${events.join(',')}]${rejected}`;
}

function reactedText({ streamId, decided: _, ...reacted }: Reacted): string {
  return JSON.stringify({ ...reacted, ...(streamId === undefined ? {} : { stream_id: streamId }) });
}

function tableMembers(table: Table): string {
  const columns = table.columns.map((column) => `{"name":${text(column.name)},"type":${text(typeName(column.type))}}`);
  const rows = table.rows.map(
    (row) => `[${table.columns.map((column, index) => writeJson(row[index] ?? null, column.type)).join(',')}]`,
  );
  return `"columns":[${columns.join(',')}],"rows":[${rows.join(',')}]`;
}

function problemMembers(problem: Problem): string {
  const span: Span = writtenSpan(problem.span);
  const start = placeOf(span.file, span.start);
  const end = placeOf(span.file, span.end);
  return (
    `"code":${text(problem.code)},"message":${text(problem.message)},"line":${start.line},"column":${start.column},` +
    `"end_line":${end.line},"end_column":${end.column}`
  );
}

function text(value: string): string {
  return JSON.stringify(value);
}
