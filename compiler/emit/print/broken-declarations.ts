const COLUMNS = 120;

/** Declarations printed by TypeScript, which keeps each on one line: a function that is too long gets a line for each parameter. */
export function brokenDeclarations(text: string): string {
  return text
    .split('\n')
    .map((line) => (line.length > COLUMNS && line.startsWith('export declare function ') ? brokenFunction(line) : line))
    .join('\n');
}

function brokenFunction(line: string): string {
  const open = line.indexOf('(');
  const parameters: string[] = [];
  let depth = 0;
  let start = open + 1;
  for (let at = start; at < line.length; at++) {
    const character = line[at] ?? '';
    const isArrow = character === '>' && line[at - 1] === '=';
    if ('([{<'.includes(character)) depth += 1;
    else if (character === ',' && depth === 0) {
      parameters.push(line.slice(start, at).trim());
      start = at + 1;
    } else if (')]}>'.includes(character) && !isArrow) {
      if (depth === 0) {
        parameters.push(line.slice(start, at).trim());
        return `${line.slice(0, open + 1)}\n${parameters.map((one) => `    ${one},\n`).join('')}${line.slice(at)}`;
      }
      depth -= 1;
    }
  }
  return line;
}
