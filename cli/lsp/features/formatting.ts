import {
  DocumentFormattingRequest,
  DocumentOnTypeFormattingRequest,
  DocumentRangeFormattingRequest,
  type TextEdit,
} from 'vscode-languageserver-protocol/node';
import { formatScript } from '../../../compiler/index.ts';
import type { Feature, Place } from '../feature.ts';
import { minimalEdits } from '../minimal-edits.ts';
import { rangeOf } from '../positions.ts';

/** Formats like `schemac fmt`, whose form has no options. A text that does not parse is left as it is. */
export const formatting: Feature = {
  capabilities: {
    documentFormattingProvider: true,
    documentRangeFormattingProvider: true,
    documentOnTypeFormattingProvider: { firstTriggerCharacter: ';' },
  },
  register: (_, at) => {
    at(DocumentFormattingRequest.type, formatted);
    at(DocumentRangeFormattingRequest.type, formatted);
    at(DocumentOnTypeFormattingRequest.type, ({ file, offset }) =>
      formatted({ file, from: file.text.lastIndexOf(';', offset - 2) + 1, to: offset }),
    );
  },
};

/** The edits that touch the range. */
function formatted({ file, from, to }: Pick<Place, 'file' | 'from' | 'to'>): TextEdit[] {
  const { text } = formatScript(file);
  if (text === undefined) return [];
  return minimalEdits(file.text, text)
    .filter(({ start, end }) => start <= to && end >= from)
    .map(({ start, end, text: newText }) => ({ range: rangeOf({ file, start, end }), newText }));
}
