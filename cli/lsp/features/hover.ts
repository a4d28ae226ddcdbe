import { HoverRequest, MarkupKind, SignatureHelpRequest } from 'vscode-languageserver-protocol/node';
import { hoverAt } from '../../../compiler/editor/hover.ts';
import { signaturesAt } from '../../../compiler/editor/signature.ts';
import type { Feature } from '../feature.ts';
import { rangeOf } from '../positions.ts';

/** For an editor that says that it shows no Markdown. */
function plainText(markdown: string): string {
  return markdown.replace(/^```.*\n/gm, '').replaceAll('**', '');
}

export const hover: Feature = {
  capabilities: { hoverProvider: true, signatureHelpProvider: { triggerCharacters: ['(', ','] } },
  register: (_, at) => {
    at(
      HoverRequest.type,
      ({ file, project, offset }, _, context) => {
        const found = hoverAt(file, offset, project.namesIn(file.name), project.known());
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
    at(SignatureHelpRequest.type, ({ file, project, offset }) => {
      const found = signaturesAt(file, offset, project.known());
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
