/** The one place that imports chevrotain; everything else in the compiler takes it from here. */
export { createToken, CstParser, Lexer } from 'chevrotain';
export type {
  CstNode,
  IParserErrorMessageProvider,
  IRecognitionException,
  IToken,
  ParserMethod,
  TokenType,
} from 'chevrotain';
