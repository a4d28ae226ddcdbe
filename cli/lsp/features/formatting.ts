import {
  DocumentFormattingRequest,
  DocumentOnTypeFormattingRequest,
  DocumentRangeFormattingRequest,
  type TextEdit,
} from 'vscode-languageserver-protocol/node';
import { formatScript, type SourceFile } from '../../../compiler/index.ts';
import { placeIn, type Feature } from '../feature.ts';
import { minimalEdits } from '../minimal-edits.ts';
import { offsetOf, rangeOf } from '../positions.ts';

/** Formats like `schemac fmt`, whose form has no options. A text that does not parse is left as it is. */
export const formatting: Feature = {
  capabilities: {
    documentFormattingProvider: true,
    documentRangeFormattingProvider: true,
    documentOnTypeFormattingProvider: { firstTriggerCharacter: ';' },
  },
  register: (answer) => {
    answer(DocumentFormattingRequest.type, (context, parameters) => {
      const place = placeIn(context, parameters);
      return place === undefined ? null : formatted(place.text.file);
    });
    answer(DocumentRangeFormattingRequest.type, (context, parameters) => {
      const file = placeIn(context, parameters)?.text.file;
      if (file === undefined) return null;
      const [start, end] = [offsetOf(file, parameters.range.start), offsetOf(file, parameters.range.end)];
      return formatted(file, start, end);
    });
    answer(DocumentOnTypeFormattingRequest.type, (context, parameters) => {
      const place = placeIn(context, parameters);
      if (place === undefined) return null;
      const { file } = place.text;
      return formatted(file, file.text.lastIndexOf(';', place.offset - 2) + 1, place.offset);
    });
  },
};

/** The edits that touch the range. */
function formatted(file: SourceFile, from = 0, to = file.text.length): TextEdit[] {
  const { text } = formatScript(file);
  if (text === undefined) return [];
  return minimalEdits(file.text, text)
    .filter(({ start, end }) => start <= to && end >= from)
    .map(({ start, end, text: newText }) => ({ range: rangeOf({ file, start, end }), newText }));
}
