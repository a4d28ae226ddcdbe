import type { SourceFile } from '../../language/source/source-file.ts';
import { parseScript, type ParsedScript } from '../syntax/parse.ts';

const known = new WeakMap<SourceFile, ParsedScript>();

/** The statements of a text, which is parsed once, however many questions are about it. */
export function parsedText(file: SourceFile): ParsedScript {
  const before = known.get(file);
  if (before !== undefined) return before;
  const made = parseScript(file);
  known.set(file, made);
  return made;
}
