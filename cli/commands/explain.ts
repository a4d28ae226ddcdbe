import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nearestNames, suggestion } from '../../language/diagnostics/suggestion.ts';
import { visibleText } from '../../language/diagnostics/render/visible.ts';
import type { Run } from '../declaration.ts';
import { inputFault } from '../exit-fault.ts';
import { writeJsonLine } from '../shell.ts';
import type { Output } from '../shell.ts';
import { packageFolder } from '../version.ts';

/** The explanation of a code, of compilation (E) or run time (R). */
export interface Explanation {
  readonly code: string;
  readonly severity: string;
  readonly title: string;
  readonly explanation: string;
  readonly example?: string;
  /** The occasion of the code, where no short text raises it. */
  readonly takes?: string;
}

/** Every code, in order, from the page of codes. */
export function explanations(): ReadonlyMap<string, Explanation> {
  const page = readFileSync(join(packageFolder(), 'docs/codes.md'), 'utf8');
  const sections = page.replace(/^## .*\n/gm, '').split(/^### <a id="\w+"><\/a>/m);
  return new Map(sections.slice(1).map((section) => [section.slice(0, section.indexOf(' ')), explanationOf(section)]));
}

/** A section has the code with its title, a paragraph, and an example or the occasion that the code takes. */
function explanationOf(section: string): Explanation {
  const [heading = '', text = '', ...rest] = section.trimEnd().split('\n\n');
  const [, code = '', title = '', severity = 'error'] = /^(\w+) (.*?)(?: \((warning|info)\))?$/.exec(heading) ?? [];
  const more = rest.join('\n\n');
  const takes = /^It takes (.*)\.$/.exec(more)?.[1];
  const shown = takes === undefined ? { example: more.replace(/^ {4}/gm, '') } : { takes: plainText(takes) };
  return { code, severity, title: plainText(title), explanation: plainText(text), ...shown };
}

/** The text of a paragraph without the backslashes before signs of Markdown. */
function plainText(paragraph: string): string {
  return paragraph.replace(/\\([*_<[\]])/g, '$1');
}

/** `schemac explain [code]`: one code's meaning with an example, or a list of all. */
export const runExplain: Run = async (shell, [wanted], flags) => {
  const known = explanations();
  const asJson = flags['json'] === true;
  if (wanted === undefined) {
    if (asJson) writeJsonLine(shell.output, [...known.values()]);
    else for (const { code, title } of known.values()) shell.output.write(`${code}  ${title}\n`);
    return 0;
  }
  const code = wanted.toUpperCase();
  const found = known.get(code);
  if (found === undefined) {
    throw inputFault(
      `there is no code '${visibleText(wanted)}'${suggestion(nearestNames(code, known.keys())) || '; schemac explain lists them'}`,
    );
  }
  if (asJson) writeJsonLine(shell.output, found);
  else
    shell.output.write(
      page(found, Math.min(shell.output.width() ?? 100, 100)) + (await shownExample(shell.output, found)),
    );
  return 0;
};

function page(found: Explanation, width: number): string {
  const example = found.example?.split('\n').map((line) => `    ${line}\n`) ?? [];
  return [
    `${found.severity}[${found.code}]: ${found.title}\n\n`,
    wrapText(found.explanation, width),
    ...(example.length === 0 ? [] : ['\nFor example:\n\n', ...example]),
    ...(found.takes === undefined ? [] : [`\n${wrapText(`It takes ${found.takes}.`, width)}`]),
  ].join('');
}

/** The compiler's output for the example. */
async function shownExample(output: Output, { code, example }: Explanation): Promise<string> {
  if (example === undefined) return '';
  const { compileFiles } = await import('../../compiler/index.ts');
  const { renderDiagnostic } = await import('../../language/diagnostics/render.ts');
  const { diagnostics } = compileFiles([{ name: 'example.schema', text: example }]);
  const shown = diagnostics.filter((diagnostic) => diagnostic.code === code);
  const frames = shown.map((diagnostic) =>
    renderDiagnostic(diagnostic, { colour: output.colour, width: output.width() ?? 100 }),
  );
  return frames.length === 0 ? '' : `\nsays:\n\n${frames.join('\n')}\n`;
}

/** The words of a text on lines of at most `width` characters, every line ended. */
function wrapText(text: string, width: number): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].map((each) => `${each}\n`).join('');
}
