import { configSchema } from '../server/start/settings/config-file.ts';

/** The limits that a configuration may set, as a Markdown table. */
export function limitTable(): string {
  const limits = configSchema().properties?.['http']?.properties?.['limits']?.properties ?? {};
  const rows = Object.entries(limits).map(
    ([name, { description = '', default: byDefault, maximum = 0 }]) =>
      `| \`${name}\` | ${description.replace(/\.$/, '')} | ${count(byDefault as number)} | ${count(maximum)} |\n`,
  );
  return `| limit | of | default | at most |\n|---|---|---|---|\n${rows.join('')}`;
}

function count(number: number): string {
  return number.toLocaleString('en-US');
}
