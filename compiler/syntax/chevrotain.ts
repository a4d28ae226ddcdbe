/** The one place that imports chevrotain; everything else in the compiler takes it from here. */
export { createToken, CstParser, EOF, Lexer } from 'chevrotain';
export type {
  CstElement,
  CstNode,
  ILexingError,
  IParserErrorMessageProvider,
  IRecognitionException,
  IToken,
  ParserMethod,
  TokenType,
} from 'chevrotain';
