import { generateCstDts } from 'chevrotain';
import { Grammar } from '../../compiler/syntax/grammar/statements.ts';

/** The text of `compiler/syntax/grammar/cst.ts`, made from the grammar: what children the tree of each rule has. */
export function cstTypes(): string {
  const raw = generateCstDts(new Grammar(false).getGAstProductions(), { includeVisitorInterface: false });
  const rules = [...raw.matchAll(/export type (\w+)CstChildren = \{([^}]*)\};/g)].map((found) => {
    const name = found[1] ?? '';
    const children = (found[2] ?? '')
      .replaceAll(/\(?IToken\)?\[\]/g, 'Tokens')
      .replaceAll(/\(?\b(\w+)CstNode\)?\[\]/g, 'readonly $1Cst[]')
      .replaceAll(/^ {2}/gm, '    readonly ');
    const rule = `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
    return `export interface ${name}Cst extends Cst<'${rule}'> {\n  readonly children: {${children}  };\n}\n`;
  });
  return `${head}\n${rules.join('')}`;
}

const head = `/** What the tree of each rule holds. Made from the grammar by \`UPDATE=1 node … test/syntax/grammar.test.ts\`; do not edit. */
import type { Token } from '../tokens/token.ts';

type Tokens = readonly Token[];
/** The tree of one rule: the tokens and trees it read, by name; \`endOffset\` is that of the last unit. */
export interface Cst<N extends string> {
  readonly name: N;
  readonly location: { readonly startOffset: number; readonly endOffset: number };
}
`;
