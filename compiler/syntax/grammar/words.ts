import {
  CstParser,
  type CstNode,
  type ILookaheadStrategy,
  type IParserErrorMessageProvider,
  type ParserMethod,
} from '../chevrotain.ts';
import * as t from '../tokens/vocabulary.ts';
import { errorMessages } from './error-messages.ts';

const k = t.keyword;

/** A rule, as the chapters of the grammar use each other's rules. */
export type Rule = ParserMethod<[], CstNode>;

/** Tokens that decide a choice: the grammar needs only one. */
const maxLookahead = 1;

/** What a parser for completion has of its own. */
export interface GrammarParts {
  readonly errorMessageProvider: IParserErrorMessageProvider;
}

/** Texts are read with the choices of a table (`prepared-grammar.ts`); what chevrotain analyses only describes the rules. */
const unused: ILookaheadStrategy = {
  validate: () => [],
  buildLookaheadForAlternation: () => () => undefined,
  buildLookaheadForOptional: () => () => false,
};

/** Names, types and literals (docs/language.md#text). */
export abstract class WordGrammar extends CstParser {
  constructor(validate: boolean, parts: Partial<GrammarParts> = {}) {
    super([...t.vocabulary], {
      maxLookahead,
      ...(validate ? {} : { lookaheadStrategy: unused }),
      nodeLocationTracking: 'onlyOffset',
      skipValidations: !validate,
      errorMessageProvider: errorMessages,
      ...parts,
    });
  }

  /** name := a word that is not reserved | a quoted name */
  readonly name = this.RULE('name', () => {
    this.CONSUME(t.Name);
  });

  /** fieldName := any word | a quoted name */
  readonly fieldName = this.RULE('fieldName', () => {
    this.CONSUME(t.Word);
  });

  /** nameList := '(' name { ',' name } ')' */
  readonly nameList = this.RULE('nameList', () => {
    this.CONSUME(t.LParen);
    this.AT_LEAST_ONE_SEP({ SEP: t.Comma, DEF: () => this.SUBRULE(this.name) });
    this.CONSUME(t.RParen);
  });

  /** typeName := word [ '(' number { ',' number } ')' ] */
  readonly typeName = this.RULE('typeName', () => {
    this.CONSUME(t.Name);
    this.OPTION(() => {
      this.CONSUME(t.LParen);
      this.AT_LEAST_ONE_SEP({
        SEP: t.Comma,
        DEF: () => this.OR([{ ALT: () => this.CONSUME(t.NumberToken) }, { ALT: () => this.CONSUME(t.Placeholder) }]),
      });
      this.CONSUME(t.RParen);
    });
  });

  /** literal := [ '-' | '+' ] number | string | TRUE | FALSE | NULL | DATE string | TIMESTAMP string | placeholder */
  readonly literal = this.RULE('literal', () => {
    this.OR([
      {
        ALT: () => {
          this.OPTION(() => this.OR2([{ ALT: () => this.CONSUME(t.Minus) }, { ALT: () => this.CONSUME(t.Plus) }]));
          this.CONSUME(t.NumberToken);
        },
      },
      { ALT: () => this.CONSUME(t.StringToken) },
      { ALT: () => this.CONSUME(k.TRUE) },
      { ALT: () => this.CONSUME(k.FALSE) },
      { ALT: () => this.CONSUME(k.NULL) },
      { ALT: () => this.SUBRULE(this.typedLiteral) },
      { ALT: () => this.CONSUME(t.Placeholder) },
    ]);
  });

  /** typedLiteral := ( DATE | TIMESTAMP | INTERVAL ) string */
  readonly typedLiteral = this.RULE('typedLiteral', () => {
    this.OR([
      { ALT: () => this.CONSUME(k.DATE) },
      { ALT: () => this.CONSUME(k.TIMESTAMP) },
      { ALT: () => this.CONSUME(k.INTERVAL) },
    ]);
    this.CONSUME(t.StringToken);
  });
}
