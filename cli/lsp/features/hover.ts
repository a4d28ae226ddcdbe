import { HoverRequest, MarkupKind, SignatureHelpRequest } from 'vscode-languageserver-protocol/node';
import { hoverAt } from '../../../compiler/editor/hover.ts';
import { signaturesAt } from '../../../compiler/editor/signature.ts';
import { placeIn, type Feature } from '../feature.ts';
import { rangeOf } from '../positions.ts';

/** For an editor that says that it shows no Markdown. */
function plainText(markdown: string): string {
  return markdown.replace(/^```.*\n/gm, '').replaceAll('**', '');
}

export const hover: Feature = {
  capabilities: { hoverProvider: true, signatureHelpProvider: { triggerCharacters: ['(', ','] } },
  register: (answer) => {
    answer(
      HoverRequest.type,
      (context, parameters) => {
        const place = placeIn(context, parameters);
        if (place === undefined) return null;
        const { file } = place.text;
        const found = hoverAt(file, place.offset, place.project.namesIn(file.name), place.project.known());
        if (found === undefined) return null;
        const takesMarkdown =
          context.client.textDocument?.hover?.contentFormat?.includes(MarkupKind.Markdown) !== false;
        const contents = takesMarkdown
          ? { kind: MarkupKind.Markdown, value: found.text }
          : { kind: MarkupKind.PlainText, value: plainText(found.text) };
        return { contents, range: rangeOf({ file, ...found }) };
      },
      'names',
    );
    answer(SignatureHelpRequest.type, (context, parameters) => {
      const place = placeIn(context, parameters);
      if (place === undefined) return null;
      const found = signaturesAt(place.text.file, place.offset, place.project.known());
      if (found === undefined) return null;
      const signatures = found.signatures.map(({ label, parameters: names, documentation }) => ({
        label,
        parameters: names.map((name) => ({ label: name })),
        ...(documentation === undefined ? {} : { documentation }),
      }));
      const fitting = signatures.findIndex((each) => each.parameters.length > found.active);
      return { signatures, activeSignature: Math.max(0, fitting), activeParameter: found.active };
    });
  },
};
