import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../kit/tool.ts';

/** Every page of the documentation, by its path from the root: those at the root, below docs/, of the examples and of the editors. */
export const pages: readonly string[] = [
  ...below('', false),
  ...below('docs', true),
  ...below('examples', true),
  ...below('editors', true),
];

function below(folder: string, deep: boolean): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory())
        return deep && !['generated', 'data', 'node_modules'].includes(entry.name) ? below(path, true) : [];
      return entry.name.endsWith('.md') ? [path] : [];
    });
}
