/** The one place that imports chevrotain; everything else in the compiler takes it from here. */
export { createToken, CstParser, Lexer, LLkLookaheadStrategy } from 'chevrotain';
export type {
  CstNode,
  ILookaheadStrategy,
  IParserErrorMessageProvider,
  IRecognitionException,
  IToken,
  ParserMethod,
  TokenType,
} from 'chevrotain';
