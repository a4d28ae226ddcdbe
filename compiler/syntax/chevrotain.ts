/** The only place that imports chevrotain; the rest of the compiler imports it from here. */
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
