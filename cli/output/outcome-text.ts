import { createColors } from 'picocolors';
import { visibleText } from '../../language/diagnostics/render/visible.ts';
import { printTimestamp } from '../../language/values/timestamp.ts';
import type { Reacted } from '../../runtime/engine/reactions.ts';
import type { StatementOutcome } from '../../server/session/outcome.ts';
import { renderExecute } from './execute-text.ts';
import { renderTable, type TableOptions } from './table.ts';

export interface OutcomeTextOptions extends TableOptions {
  readonly colour: boolean;
  /** For a terminal an export shows controls by name; a file gets the exact bytes. */
  readonly terminal: boolean;
}

/** The result of a statement, for people; every line ended. An `error` has no text here: its diagnostics are rendered. */
export function renderOutcome(outcome: StatementOutcome, options: OutcomeTextOptions): string {
  return renderResult(outcome, options) + (outcome.reacted ?? []).map(reactedLine).join('');
}

/** `reaction ExpireHold: Expire on S-1 emitted Expired`. */
function reactedLine({ reaction, command, outcome, streamId, events, error }: Reacted): string {
  const on = streamId === undefined ? '' : ` on ${visibleText(streamId)}`;
  const what = error === undefined ? events.join(', ') : visibleText(error);
  return `reaction ${reaction}: ${command}${on} ${outcome}${what === '' ? '' : ` ${what}`}\n`;
}

function renderResult(outcome: StatementOutcome, options: OutcomeTextOptions): string {
  switch (outcome.kind) {
    case 'create':
      return `${outcome.block} ${outcome.name} ${outcome.change}\n`;
    case 'drop':
      return `${outcome.block} ${outcome.name} dropped\n`;
    case 'apply': {
      const made = outcome.created.map(({ block, name }) => `  ${block} ${name}\n`).join('');
      return `template ${outcome.template} applied: ${outcome.created.length} block(s)\n${made}`;
    }
    case 'execute':
      return renderExecute(outcome.outcome, createColors(options.colour));
    case 'select':
      return (
        renderTable(outcome.table, options) + (outcome.asOf === undefined ? '' : `as of position ${outcome.asOf}\n`)
      );
    case 'describe':
    case 'explain':
      return renderTable(outcome.table, options);
    case 'validate':
      return outcome.table.rows.length === 0 ? 'no findings\n' : renderTable(outcome.table, options);
    case 'inspect':
      return outcome.overdue === undefined
        ? `inspected into ${outcome.into}: ${outcome.rows} row(s), ${outcome.rejected} rejected\n`
        : `inspected into ${outcome.into}: ${outcome.rows} row(s), ${outcome.overdue} due already\n`;
    case 'export':
      return renderExport(outcome.text, options.terminal);
    case 'advance':
      return `the clock is at ${printTimestamp(outcome.to)}\n`;
    case 'caller':
      if (outcome.subject === undefined) return 'no caller is set\n';
      return outcome.subject === null ? 'the caller is anonymous\n' : `the caller is ${visibleText(outcome.subject)}\n`;
    case 'error':
      return '';
    default:
      return outcome satisfies never;
  }
}

function renderExport(text: string, terminal: boolean): string {
  const shown = terminal ? text.split('\n').map(visibleText).join('\n') : text;
  return shown.endsWith('\n') || shown === '' ? shown : `${shown}\n`;
}
