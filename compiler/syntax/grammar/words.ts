import { defined, type Asked, type Optionally } from '../../../language/values/defined.ts';
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import type { Report } from '../../../language/diagnostics/diagnostic.ts';
import type { SourceFile } from '../../../language/source/source-file.ts';
import type { Span } from '../../../language/source/span.ts';
import type { Expression, Name, Node, StringLiteral, TypedLiteral, TypeName } from '../ast.ts';
import {
  EmbeddedActionsParser,
  type ILookaheadStrategy,
  type IParserErrorMessageProvider,
  type IOrAlt,
  type IToken,
  type ParserMethod,
  type TokenType,
} from '../chevrotain.ts';
import { isTypeWord } from '../expand/parameter-type.ts';
import type { Token } from '../tokens/token.ts';
import { numberText, stringValue } from '../tokens/token-text.ts';
import * as t from '../tokens/vocabulary.ts';
import { errorMessages } from './error-messages.ts';
import { fillingLiteral, fillingName, fillingNumber } from './fillings.ts';

const k = t.keyword;

/** A rule and its result, as the chapters of the grammar use each other's rules. */
export type Rule<T> = ParserMethod<[], T>;

/** A token as chevrotain gives it back. */
export type ReadToken = Omit<Token, 'endOffset'> & Pick<IToken, 'endOffset'>;

/** The inputs of making nodes, in addition to the tokens. */
export interface NodeContext {
  readonly file: SourceFile;
  /** Makes a span in the parsed text; inside an expansion with its APPLY. */
  readonly spanAt: (start: number, end: number) => Span;
  /** Takes the faults of text that the grammar accepts. */
  readonly report: Report;
  /** The literal that `:name` is read as, where a text comes with values for its parameters. */
  readonly literalOf?: ((name: string, span: Span) => Expression | undefined) | undefined;
}

const noFile: SourceFile = { name: '', text: '' };
/** For questions to the grammar alone, whose nodes are not used. */
export const noContext: NodeContext = {
  file: noFile,
  spanAt: (start, end) => ({ file: noFile, start, end }),
  report: () => undefined,
};

/** A clause or mark that may be given once, and its part of a node; `span` is the place of an error about a second one. */
export interface Clause<T> {
  readonly what: string;
  readonly span: Span;
  readonly part: T;
}

type Unplaced<N> = N extends unknown ? Omit<N, 'span'> : never;

/** The last of the things that are read one after the other: what comes behind words. */
export function behind<T>(...read: readonly [...words: unknown[], result: T]): T {
  return read.at(-1) as T; // the result
}

/** A literal, or the placeholder of a template in its place. */
export type Literal = { readonly node: Expression } | { readonly node?: undefined; readonly placeholder: ReadToken };

/** Tokens that decide a choice: the grammar needs only one. */
const maxLookahead = 1;

/** The part of a parser for completion that differs. */
export interface GrammarParts {
  readonly errorMessageProvider: IParserErrorMessageProvider;
}

/** Texts are read with the choices of a table (`prepared-grammar.ts`); what chevrotain analyses only describes the rules. */
const unused: ILookaheadStrategy = {
  validate: () => [],
  buildLookaheadForAlternation: () => () => undefined,
  buildLookaheadForOptional: () => () => false,
};

/**
 * Names, types and literals (docs/language.md#text), and the parts with which all rules make nodes. A rule returns its node. chevrotain
 * learns the rules by running each once, with results that have no members: code that reads the result of another rule is in an ACTION.
 */
export abstract class WordGrammar extends EmbeddedActionsParser {
  /** Set before a text is read. */
  context = noContext;

  constructor(validate: boolean, parts: Partial<GrammarParts> = {}) {
    super([...t.vocabulary], {
      maxLookahead,
      ...(validate ? {} : { lookaheadStrategy: unused }),
      skipValidations: !validate,
      errorMessageProvider: errorMessages,
      ...parts,
    });
  }

  /** Where the next token starts. */
  protected start(): number {
    return this.LA(1).startOffset;
  }

  /** Where the last token ends. */
  protected end(): number {
    return (this.LA(0).endOffset ?? 0) + 1;
  }

  /** From a place to the end of the last token. */
  protected spanFrom(start: number): Span {
    return this.context.spanAt(start, this.end());
  }

  /** A node from a place to the end of the last token; a part that was not written is undefined. */
  protected node<N extends Node>(start: number, parts: Optionally<Unplaced<Asked<N>>>): N {
    return defined<object>(Object.assign({ kind: parts.kind, span: this.spanFrom(start) }, parts)) as N; // the parts of N and its span
  }

  protected spanOf({ startOffset, endOffset = startOffset }: ReadToken): Span {
    return this.context.spanAt(startOffset, endOffset + 1);
  }

  /** The doc comment above the next token, as a part of its node. */
  protected doc(): { readonly doc?: string } {
    const { doc }: ReadToken = this.LA(1);
    return doc === undefined ? {} : { doc };
  }

  /** element { ',' element } */
  protected list<T>(element: () => T): T[] {
    const found: T[] = [];
    this.AT_LEAST_ONE_SEP({ SEP: t.Comma, DEF: () => found.push(element()) });
    return found;
  }

  /** [ element { ',' element } ] */
  protected listOrNone<T>(element: () => T): T[] {
    const found: T[] = [];
    this.MANY_SEP({ SEP: t.Comma, DEF: () => found.push(element()) });
    return found;
  }

  /** '(' inner ')' */
  protected parenthesised<T>(inner: () => T, occurrence = 0): T {
    this.consume(occurrence, t.LParen);
    const found = inner();
    this.consume(occurrence, t.RParen);
    return found;
  }

  /** The one of these keywords that is read. */
  protected oneOf<W extends keyof typeof k>(words: readonly W[], occurrence = 0): W {
    const alternatives = words.map((word) => ({
      ALT: (): W => {
        this.consume(occurrence, k[word]);
        return word;
      },
    }));
    return this.or(occurrence, alternatives) as W; // each alternative returns its word
  }

  /** An alternative of one keyword. */
  protected word<T>(type: TokenType, meaning: T): IOrAlt<T> {
    return { ALT: () => behind(this.CONSUME(type), meaning) };
  }

  protected clause<T>(token: ReadToken, part: T): Clause<T> {
    return { what: token.tokenType.name, span: this.spanOf(token), part };
  }

  /** The parts of all clauses, in the order of `keys`; a second clause of its kind is an error. */
  protected once<T extends object>(clauses: readonly Clause<T>[], keys: readonly (keyof T)[]): Partial<T> {
    return this.ACTION(() => {
      const seen = new Set<string>();
      const given: Partial<T> = {};
      for (const { what, span, part } of clauses) {
        if (seen.has(what)) this.context.report(diagnose('E0114', span, { what }));
        else Object.assign(given, part);
        seen.add(what);
      }
      const parts: Partial<T> = {};
      for (const key of keys) if (key in given) parts[key] = given[key];
      return parts;
    });
  }

  /** The name in a token; a placeholder's value must be a plain identifier. */
  protected nameOf(token: ReadToken): Name {
    const span = this.spanOf(token);
    const text = fillingName(token, span, this.context.report) ?? token.text ?? token.image;
    return { kind: 'Name', span, text, quoted: token.tokenType === t.QuotedIdentifier };
  }

  protected stringOf(token: ReadToken): StringLiteral {
    return { kind: 'StringLiteral', span: this.spanOf(token), value: stringValue(token) };
  }

  protected numberOf(token: ReadToken): Expression {
    return { kind: 'NumberLiteral', span: this.spanOf(token), text: numberText(token) };
  }

  /** The literal that replaces a placeholder. */
  protected literalFor(token: ReadToken): Expression {
    return fillingLiteral(token, this.spanOf(token), this.context.report);
  }

  /** name := a word that is not reserved | a quoted name */
  readonly name = this.RULE('name', (): Name => this.nameOf(this.CONSUME(t.Name)));

  /** fieldName := any word | a quoted name */
  readonly fieldName = this.RULE('fieldName', (): Name => this.nameOf(this.CONSUME(t.Word)));

  /** nameList := '(' name { ',' name } ')' */
  readonly nameList = this.RULE('nameList', (): readonly Name[] =>
    this.parenthesised(() => this.list(() => this.SUBRULE(this.name))),
  );

  /** typeName := word [ '(' number { ',' number } ')' ] */
  readonly typeName = this.RULE('typeName', (): TypeName => {
    const start = this.start();
    const { text } = this.nameOf(this.CONSUME(t.Name));
    const numbers = this.OPTION(() =>
      this.parenthesised(() =>
        this.list(() =>
          this.OR<number>([
            { ALT: () => Number(numberText(this.CONSUME(t.NumberToken))) },
            { ALT: () => this.numberFor(this.CONSUME(t.Placeholder)) },
          ]),
        ),
      ),
    );
    const name = isTypeWord(text) ? text.toUpperCase() : text;
    return { kind: 'TypeName', span: this.spanFrom(start), name, arguments: numbers ?? [] };
  });

  /** listType := typeName [ '[]' ] */
  readonly listType = this.RULE('listType', (): TypeName => {
    const start = this.start();
    const type = this.SUBRULE(this.typeName);
    const brackets = this.OPTION(() => this.CONSUME(t.Brackets));
    return brackets === undefined ? type : { ...type, span: this.spanFrom(start), isList: true };
  });

  private numberFor(token: ReadToken): number {
    return fillingNumber(token, this.spanOf(token), this.context.report);
  }

  /** literal := [ '-' | '+' ] number | string | TRUE | FALSE | NULL | DATE string | TIMESTAMP string | placeholder */
  readonly literal = this.RULE('literal', (): Literal => {
    const start = this.start();
    return this.OR<Literal>([
      {
        ALT: () => {
          const sign = this.OPTION(() => this.sign());
          const operand = this.numberOf(this.CONSUME(t.NumberToken));
          if (sign === undefined) return { node: operand };
          return { node: { kind: 'Unary', span: this.spanFrom(start), operator: sign, operand } };
        },
      },
      { ALT: () => ({ node: this.stringOf(this.CONSUME(t.StringToken)) }) },
      { ALT: () => ({ node: this.boolean(this.CONSUME(k.TRUE), true) }) },
      { ALT: () => ({ node: this.boolean(this.CONSUME(k.FALSE), false) }) },
      { ALT: () => ({ node: { kind: 'NullLiteral', span: this.spanOf(this.CONSUME(k.NULL)) } }) },
      { ALT: () => ({ node: this.SUBRULE(this.typedLiteral) }) },
      { ALT: () => ({ placeholder: this.CONSUME(t.Placeholder) }) },
    ]);
  });

  /** '-' | '+' */
  protected sign(): '-' | '+' {
    return this.OR2<'-' | '+'>([
      { ALT: () => this.signOf(this.CONSUME(t.Minus)) },
      { ALT: () => this.signOf(this.CONSUME(t.Plus)) },
    ]);
  }

  private signOf({ tokenType }: ReadToken): '-' | '+' {
    return tokenType === t.Minus ? '-' : '+';
  }

  protected boolean(token: ReadToken, value: boolean): Expression {
    return { kind: 'BooleanLiteral', span: this.spanOf(token), value };
  }

  /** typedLiteral := ( DATE | TIMESTAMP | INTERVAL ) string */
  readonly typedLiteral = this.RULE('typedLiteral', (): TypedLiteral => {
    const start = this.start();
    const type = this.oneOf(['DATE', 'TIMESTAMP', 'INTERVAL']);
    const value = stringValue(this.CONSUME(t.StringToken));
    return { kind: 'TypedLiteral', span: this.spanFrom(start), type, value };
  });
}
