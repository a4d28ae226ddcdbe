import {
  InlayHintKind,
  InlayHintRequest,
  SemanticTokensRangeRequest,
  SemanticTokensRequest,
  type InlayHint,
  type SemanticTokens,
} from 'vscode-languageserver-protocol/node';
import { defaultHints, typeHints, type Hint } from '../../../compiler/editor/hints.ts';
import { wordKinds, wordsOf } from '../../../compiler/editor/words.ts';
import type { Feature, LanguageContext, Place } from '../feature.ts';
import { documentOf } from '../positions.ts';
import { parsedText } from '../../../compiler/editor/parsed-text.ts';

/** Shows hints in the text, and its colours. */
export const hints: Feature = {
  capabilities: {
    semanticTokensProvider: { legend: { tokenTypes: [...wordKinds], tokenModifiers: [] }, full: true, range: true },
    inlayHintProvider: true,
  },
  register: (_, at) => {
    at(SemanticTokensRequest.type, coloured);
    at(SemanticTokensRangeRequest.type, coloured);
    at(InlayHintRequest.type, (place, _, context) => {
      const { file, from, to } = place;
      const known = place.project.known();
      const shown = (found: readonly Hint[], kind: InlayHintKind): readonly InlayHint[] =>
        found
          .filter(({ offset }) => offset >= from && offset <= to)
          .map(({ offset, label }) => ({ position: documentOf(file).positionAt(offset), label, kind }));
      return [
        ...shown(typeHints(file, known), InlayHintKind.Type),
        ...shown(defaultHints(file, known), InlayHintKind.Parameter),
        ...results(context, place),
      ];
    });
  },
};

/** Results of the last run of a script, behind each statement. */
function results({ runs }: LanguageContext, { file, from, to }: Place): InlayHint[] {
  const labels = runs?.lastRun(file) ?? [];
  if (labels.length === 0) return [];
  const document = documentOf(file);
  return parsedText(file).statements.flatMap(({ span, textSpan: { end } }): InlayHint[] => {
    const line = document.positionAt(span.start).line + 1;
    const label = labels.find((each) => each.line === line)?.label;
    if (label === undefined || end < from || end > to) return [];
    return [{ position: document.positionAt(end), label: `→ ${label}`, paddingLeft: true }];
  });
}

/** Five numbers for each word: lines and columns count from the word before, and a word is on one line. */
function coloured({ file, from, to }: Place): SemanticTokens {
  const data: number[] = [];
  let [line, character] = [0, 0];
  for (const { start, end, kind } of wordsOf(file)) {
    if (end <= from || start >= to) continue;
    for (const piece of linesWithin(file.text, start, end)) {
      const place = documentOf(file).positionAt(piece.start);
      const sameLine = place.line === line;
      data.push(place.line - line, sameLine ? place.character - character : place.character);
      data.push(piece.end - piece.start, wordKinds.indexOf(kind), 0);
      ({ line, character } = place);
    }
  }
  return { data };
}

function linesWithin(
  text: string,
  start: number,
  end: number,
): readonly { readonly start: number; readonly end: number }[] {
  const pieces: { start: number; end: number }[] = [];
  for (const line of text.slice(start, end).matchAll(/[^\r\n]+/g)) {
    pieces.push({ start: start + line.index, end: start + line.index + line[0].length });
  }
  return pieces;
}
