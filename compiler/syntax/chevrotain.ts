/** The only place that imports chevrotain; the rest of the compiler imports it from here. */
export {
  Alternation,
  createToken,
  EarlyExitException,
  EmbeddedActionsParser,
  Lexer,
  NonTerminal,
  NoViableAltException,
  Option,
  Repetition,
  RepetitionMandatory,
  RepetitionMandatoryWithSeparator,
  RepetitionWithSeparator,
  Terminal,
} from 'chevrotain';
export type {
  ILookaheadStrategy,
  IOrAlt,
  IParserErrorMessageProvider,
  IProduction,
  IRecognitionException,
  IToken,
  ParserMethod,
  TokenType,
} from 'chevrotain';
