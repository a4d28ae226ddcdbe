import {
  DefinitionRequest,
  DocumentHighlightRequest,
  ReferencesRequest,
  type Location,
} from 'vscode-languageserver-protocol/node';
import { writtenBlocks } from '../../../compiler/editor/written-blocks.ts';
import type { Span } from '../../../compiler/index.ts';
import { placeIn, type Feature, type LanguageContext, type Place } from '../feature.ts';
import { rangeOf } from '../positions.ts';

export const navigation: Feature = {
  capabilities: { definitionProvider: true, referencesProvider: true, documentHighlightProvider: true },
  register: (answer) => {
    answer(
      DefinitionRequest.type,
      (context, parameters) => {
        const place = placeIn(context, parameters);
        return place === undefined ? null : locations(context, definitionsAt(place).flatMap(withApplications));
      },
      'symbols',
    );
    answer(
      ReferencesRequest.type,
      (context, parameters) => {
        const place = placeIn(context, parameters);
        if (place === undefined) return null;
        const definitions = parameters.context.includeDeclaration ? definitionsAt(place) : [];
        return locations(context, [...definitions, ...referencesAt(place)]);
      },
      'symbols',
    );
    answer(
      DocumentHighlightRequest.type,
      (context, parameters) => {
        const place = placeIn(context, parameters);
        if (place === undefined) return null;
        const { name } = place.text.file;
        const spans = [...definitionsAt(place), ...referencesAt(place)].filter(({ file }) => file.name === name);
        return locations(context, spans).map(({ range }) => ({ range }));
      },
      'symbols',
    );
  },
};

/** Adds the applications of a template to a place in its body. */
function withApplications(span: Span): readonly Span[] {
  return span.applied === undefined ? [span] : [span, ...withApplications(span.applied)];
}

/** A name without a definition in the trees is looked for by its words, if some text does not parse. */
function definitionsAt({ text, project, offset }: Place): readonly Span[] {
  const symbols = project.symbols();
  const use = symbols.at(text.file.name, offset);
  const found = use === undefined ? [] : symbols.definitions(use.target);
  if (found.length > 0 || use?.target.part !== undefined) return found;
  const isBroken = project.compiled().result.diagnostics.some(({ code }) => code.startsWith('E01'));
  return isBroken ? writtenBlocks(text.file, offset, project.files()) : [];
}

function referencesAt({ text, project, offset }: Place): readonly Span[] {
  const symbols = project.symbols();
  const use = symbols.at(text.file.name, offset);
  return use === undefined ? [] : symbols.references(use.target);
}

/** Each place once: a name in a template is referred to by each application. */
function locations({ workspace }: LanguageContext, spans: readonly Span[]): Location[] {
  const places = spans.map((span): Location => ({ uri: workspace.uriOf(span.file.name), range: rangeOf(span) }));
  return Array.from(new Map(places.map((place) => [JSON.stringify(place), place])).values());
}
