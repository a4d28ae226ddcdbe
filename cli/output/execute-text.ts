import type { createColors } from 'picocolors';
import { visibleText } from '../../language/diagnostics/render/visible.ts';
import { textMask } from '../../language/values/mask.ts';
import type { EmittedEvent, ExplainedTerm, NamedValue, Outcome, Rejection } from '../../runtime/engine/outcome.ts';
import { literalText, valueText } from './value-text.ts';

type Colors = ReturnType<typeof createColors>;

/** The outcome of a command, as shown in docs/language.md#commands-at-run-time; every line ended. */
export function renderExecute(outcome: Outcome, colours: Colors): string {
  if (outcome.rejection !== undefined) {
    const again = outcome.replayed ? 'REJECTED (replayed)' : 'REJECTED';
    return block(`  ${colours.red(`✗ ${again}`)}`, rejectionRows(outcome.rejection), 11);
  }
  const blocks = outcome.events.map((event) =>
    block(`  ${colours.green('✓')} ${colours.bold(event.type)}`, eventRows(event, outcome.streamType), 15),
  );
  return `${blocks.join('')}${outcome.events.length} event(s) ${outcome.replayed ? 'replayed' : 'emitted'}.\n`;
}

type Line = readonly [label: string, text: string];

function block(head: string, rows: readonly Line[], labelWidth: number): string {
  const lines = rows.map(([label, text]) =>
    `    ${(label === '' ? '' : `${label}:`).padEnd(labelWidth - 1)} ${text}`.trimEnd(),
  );
  return [head, ...lines].map((line) => `${line}\n`).join('');
}

function eventRows(event: EmittedEvent, streamType: string): readonly Line[] {
  return [
    ['stream_id', visibleText(event.streamId)],
    ...(event.streamType === streamType ? [] : [['stream_type', event.streamType] as const]),
    ['seq', String(event.seq)],
    ...event.fields.map((field): Line => [field.name, shown(field, valueText)]),
  ];
}

function rejectionRows(rejection: Rejection): readonly Line[] {
  const guards = rejection.guards.flatMap(({ branch, guard, terms = [] }): readonly Line[] => [
    ['guard', visibleText(`${branch === null ? '' : `${branch}: `}${guard ?? 'TRUE'}`)],
    ...termRows(terms),
  ]);
  return [
    ['decision', rejection.decision],
    ...guards,
    ...(rejection.state === undefined || rejection.state.length === 0
      ? []
      : [['state', assignments(rejection.state)] as const]),
    ['command', assignments(rejection.command)],
  ];
}

/** A guard of one part is not TRUE; of several parts each is shown with its value, nested ones behind their own. */
function termRows(terms: readonly ExplainedTerm[]): readonly Line[] {
  const [only] = terms;
  if (terms.length === 1 && only?.terms === undefined) return [];
  const rows = (list: readonly ExplainedTerm[], indent: string): readonly Line[] =>
    list.flatMap((one): readonly Line[] => [
      ['', `${indent}${valueWord(one)}  ${visibleText(one.term)}`],
      ...rows(one.terms ?? [], `${indent}  `),
    ]);
  return rows(terms, '');
}

function valueWord({ value, failed, masked }: ExplainedTerm): string {
  if (masked === true) return textMask;
  return failed === undefined ? String(value).toUpperCase() : `(${visibleText(failed)})`;
}

function assignments(values: readonly NamedValue[]): string {
  return values.map((value) => `${visibleText(value.name)} = ${shown(value, literalText)}`).join(', ');
}

/** The user of the tool never holds `sensitive:read`, so clear values should not get here; they are masked all the same. */
function shown(named: NamedValue, text: typeof valueText): string {
  return named.sensitive && named.value !== null ? textMask : text(named.value, named.type);
}
