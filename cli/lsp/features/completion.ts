import {
  CompletionItemKind,
  CompletionRequest,
  CompletionResolveRequest,
  InsertTextFormat,
  type CompletionItem,
  type MarkupContent,
} from 'vscode-languageserver-protocol/node';
import { completionsAt, type Choice } from '../../../compiler/editor/completion.ts';
import type { Feature, LanguageContext } from '../feature.ts';
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
  capabilities: {
    completionProvider: { triggerCharacters: ['.', ':', '"', "'", '(', '{', ' '], resolveProvider: true },
  },
  register: (answer, at) => {
    let list: { readonly number: number; readonly choices: readonly Choice[] } = { number: 0, choices: [] };
    at(CompletionRequest.type, ({ file, project, offset }, _, context) => {
      const { start, end, choices } = completionsAt(file, offset, project.known());
      const snippets = context.client.textDocument?.completion?.completionItem?.snippetSupport === true;
      const range = rangeOf({ file, start, end });
      const offered = choices.filter(({ stops }) => stops !== true || snippets);
      const later = canResolve(context);
      list = { number: list.number + 1, choices: offered };
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
          : later
            ? { data: [list.number, index] }
            : { documentation: documentationOf(choice) }),
      }));
      return { isIncomplete: false, items };
    });
    answer(CompletionResolveRequest.type, (_, item) => {
      const [number, index] = Array.isArray(item.data) ? (item.data as readonly unknown[]) : [];
      const choice = number === list.number && typeof index === 'number' ? list.choices[index] : undefined;
      return choice?.documentation === undefined ? item : { ...item, documentation: documentationOf(choice) };
    });
  },
};

/** An editor that asks for the documentation of the choice that is looked at gets a list of a tenth of the size. */
function canResolve({ client }: LanguageContext): boolean {
  const properties = client.textDocument?.completion?.completionItem?.resolveSupport?.properties;
  return properties?.includes('documentation') === true;
}

function documentationOf({ documentation = '' }: Choice): MarkupContent {
  return { kind: 'markdown', value: documentation };
}
