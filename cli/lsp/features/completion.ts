import {
  CompletionItemKind,
  CompletionRequest,
  InsertTextFormat,
  type CompletionItem,
} from 'vscode-languageserver-protocol/node';
import { completionsAt, type Choice } from '../../../compiler/editor/completion.ts';
import { placeIn, type Feature } from '../feature.ts';
import { rangeOf } from '../positions.ts';

const kinds: Readonly<Record<Choice['kind'], CompletionItemKind>> = {
  value: CompletionItemKind.EnumMember,
  keyword: CompletionItemKind.Keyword,
  block: CompletionItemKind.Class,
  field: CompletionItemKind.Field,
  column: CompletionItemKind.Property,
  relation: CompletionItemKind.Struct,
  function: CompletionItemKind.Function,
  type: CompletionItemKind.TypeParameter,
  parameter: CompletionItemKind.Variable,
  snippet: CompletionItemKind.Snippet,
};

/** Answers from the last result of the compiler and the present text, so that no keystroke waits for a check. */
export const completion: Feature = {
  capabilities: { completionProvider: { triggerCharacters: ['.', ':', '"', "'", '(', '{', ' '] } },
  register: (answer) => {
    answer(CompletionRequest.type, (context, parameters) => {
      const place = placeIn(context, parameters);
      if (place === undefined) return null;
      const { file } = place.text;
      const { start, end, choices } = completionsAt(file, place.offset, place.project.known());
      const snippets = context.client.textDocument?.completion?.completionItem?.snippetSupport === true;
      const range = rangeOf({ file, start, end });
      const offered = choices.filter(({ stops }) => stops !== true || snippets);
      const items = offered.map((choice, index): CompletionItem => ({
        label: choice.label,
        kind: kinds[choice.kind],
        sortText: String(index).padStart(4, '0'),
        filterText: choice.insert.startsWith('"') ? choice.insert : choice.label,
        textEdit: { range, newText: choice.insert },
        ...(choice.stops === true ? { insertTextFormat: InsertTextFormat.Snippet } : {}),
        ...(choice.detail === undefined ? {} : { detail: choice.detail }),
        ...(choice.documentation === undefined
          ? {}
          : { documentation: { kind: 'markdown', value: choice.documentation } }),
      }));
      return { isIncomplete: false, items };
    });
  },
};
