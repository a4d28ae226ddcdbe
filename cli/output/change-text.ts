import type { CatalogChange } from '../../compiler/index.ts';

/** Maximum number of names listed for each kind of change. */
const most = 5;

/** `decision PutIn, projection Sums; gone: command Take`. */
export function changeText(changes: readonly CatalogChange[]): string {
  const names = (wanted: CatalogChange['change']): string => {
    const all = changes.filter(({ change }) => change === wanted).map(({ block, name }) => `${block} ${name}`);
    const more = all.length > most ? ` and ${all.length - most} more` : '';
    return `${all.slice(0, most).join(', ')}${more}`;
  };
  const [put, gone] = [names('put'), names('drop')];
  return [put, ...(gone === '' ? [] : [`gone: ${gone}`])].filter((part) => part !== '').join('; ');
}
