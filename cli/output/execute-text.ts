import type { createColors } from 'picocolors';
import { visibleText } from '../../language/diagnostics/render/visible.ts';
import { textMask } from '../../language/values/mask.ts';
import type { EmittedEvent, NamedValue, Outcome, Rejection } from '../../runtime/engine/outcome.ts';
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
  const lines = rows.map(([label, text]) => `    ${`${label}:`.padEnd(labelWidth - 1)} ${text}`.trimEnd());
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
  const guards = rejection.guards.map(({ branch, guard }): Line => [
    'guard',
    visibleText(`${branch === null ? '' : `${branch}: `}${guard ?? 'TRUE'}`),
  ]);
  return [
    ['decision', rejection.decision],
    ...guards,
    ...(rejection.state.length === 0 ? [] : [['state', assignments(rejection.state)] as const]),
    ['command', assignments(rejection.command)],
  ];
}

function assignments(values: readonly NamedValue[]): string {
  return values.map((value) => `${visibleText(value.name)} = ${shown(value, literalText)}`).join(', ');
}

/** The user of the tool never holds `sensitive:read`, so clear values should not get here; they are masked all the same. */
function shown(named: NamedValue, text: typeof valueText): string {
  return named.sensitive && named.value !== null ? textMask : text(named.value, named.type);
}
