import {
  DefinitionRequest,
  DocumentHighlightRequest,
  ReferencesRequest,
  type Location,
} from 'vscode-languageserver-protocol/node';
import { writtenBlocks } from '../../../compiler/editor/written-blocks.ts';
import type { Span } from '../../../compiler/index.ts';
import type { Feature, LanguageContext, Place } from '../feature.ts';
import { rangeOf } from '../positions.ts';

export const navigation: Feature = {
  capabilities: { definitionProvider: true, referencesProvider: true, documentHighlightProvider: true },
  register: (_, at) => {
    at(
      DefinitionRequest.type,
      (place, _, context) => locations(context, definitionsAt(place).flatMap(withApplications)),
      'symbols',
    );
    at(
      ReferencesRequest.type,
      (place, parameters, context) => {
        const definitions = parameters.context.includeDeclaration ? definitionsAt(place) : [];
        return locations(context, [...definitions, ...referencesAt(place)]);
      },
      'symbols',
    );
    at(
      DocumentHighlightRequest.type,
      (place, _, context) => {
        const spans = [...definitionsAt(place), ...referencesAt(place)];
        const here = spans.filter(({ file }) => file.name === place.file.name);
        return locations(context, here).map(({ range }) => ({ range }));
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
function definitionsAt({ file, project, offset }: Place): readonly Span[] {
  const symbols = project.symbols();
  const use = symbols.at(file.name, offset);
  const found = use === undefined ? [] : symbols.definitions(use.target);
  if (found.length > 0 || use?.target.part !== undefined) return found;
  const isBroken = project.compiled().result.diagnostics.some(({ code }) => code.startsWith('E01'));
  return isBroken ? writtenBlocks(file, offset, project.files()) : [];
}

function referencesAt({ file, project, offset }: Place): readonly Span[] {
  const symbols = project.symbols();
  const use = symbols.at(file.name, offset);
  return use === undefined ? [] : symbols.references(use.target);
}

/** Each place once: a name in a template is referred to by each application. */
function locations({ workspace }: LanguageContext, spans: readonly Span[]): Location[] {
  const places = spans.map((span): Location => ({ uri: workspace.uriOf(span.file.name), range: rangeOf(span) }));
  return Array.from(new Map(places.map((place) => [JSON.stringify(place), place])).values());
}
