import { CstParser, type CstNode, type ParserMethod } from '../chevrotain.ts';
import * as t from '../tokens/vocabulary.ts';
import { errorMessages } from './error-messages.ts';

const k = t.keyword;

/** A rule as one chapter of the grammar knows those of the next. */
export type Rule = ParserMethod<[], CstNode>;

/**
 * Names, types and expressions (language.md sections 3 and 6). A chain of operators is flat here: precedence is a matter of
 * `build/chain.ts`, so that a level of nesting costs few rules and a long chain no depth at all.
 */
export abstract class ExpressionGrammar extends CstParser {
  protected abstract readonly query: Rule;

  constructor(validate: boolean) {
    super([...t.vocabulary], {
      maxLookahead: 1,
      nodeLocationTracking: 'onlyOffset',
      skipValidations: !validate,
      errorMessageProvider: errorMessages,
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

  /** typedLiteral := ( DATE | TIMESTAMP ) string */
  readonly typedLiteral = this.RULE('typedLiteral', () => {
    this.OR([{ ALT: () => this.CONSUME(k.DATE) }, { ALT: () => this.CONSUME(k.TIMESTAMP) }]);
    this.CONSUME(t.StringToken);
  });

  /** expression := operand { operation } */
  readonly expression: Rule = this.RULE('expression', () => {
    this.SUBRULE(this.operand);
    this.MANY(() => this.SUBRULE(this.operation));
  });

  /** bound := operand { arithmetic operand | '::' typeName }        (where AND, ESCAPE or IN goes on) */
  readonly bound: Rule = this.RULE('bound', () => {
    this.SUBRULE(this.operand);
    this.MANY(() => this.SUBRULE(this.boundOperation));
  });

  readonly boundOperation: Rule = this.RULE('boundOperation', () => {
    this.OR([
      {
        ALT: () => {
          this.CONSUME(t.Arithmetic);
          this.SUBRULE(this.operand);
        },
      },
      {
        ALT: () => {
          this.CONSUME(t.DoubleColon);
          this.SUBRULE(this.typeName);
        },
      },
    ]);
  });

  /**
   * operation := ( OR | AND | arithmetic ) operand | '::' typeName | comparison ( operand | ANY '(' expression ')' )
   *            | IS [ NOT ] ( NULL | TRUE | FALSE | UNKNOWN | DISTINCT FROM operand )
   *            | [ NOT ] ( in | between | like )
   */
  readonly operation: Rule = this.RULE('operation', () => {
    this.OR([
      {
        ALT: () => {
          this.CONSUME(t.Logical);
          this.SUBRULE(this.operand);
        },
      },
      {
        ALT: () => {
          this.CONSUME(t.Arithmetic);
          this.SUBRULE2(this.operand);
        },
      },
      {
        ALT: () => {
          this.CONSUME(t.DoubleColon);
          this.SUBRULE(this.typeName);
        },
      },
      {
        ALT: () => {
          this.CONSUME(t.Comparison);
          this.OR2([
            { ALT: () => this.SUBRULE(this.any) },
            { ALT: () => this.SUBRULE3(this.operand), IGNORE_AMBIGUITIES: true },
          ]);
        },
        IGNORE_AMBIGUITIES: true,
      },
      { ALT: () => this.SUBRULE(this.isTest) },
      {
        ALT: () => {
          this.OPTION(() => this.CONSUME(k.NOT));
          this.OR3([
            { ALT: () => this.SUBRULE(this.inList) },
            { ALT: () => this.SUBRULE(this.between) },
            { ALT: () => this.SUBRULE(this.like) },
          ]);
        },
      },
    ]);
  });

  /** any := ANY '(' expression ')' */
  readonly any: Rule = this.RULE('any', () => {
    this.CONSUME(k.ANY);
    this.CONSUME(t.LParen);
    this.SUBRULE(this.expression);
    this.CONSUME(t.RParen);
  });

  readonly isTest: Rule = this.RULE('isTest', () => {
    this.CONSUME(k.IS);
    this.OPTION(() => this.CONSUME(k.NOT));
    this.OR([
      { ALT: () => this.CONSUME(k.NULL) },
      { ALT: () => this.CONSUME(k.TRUE) },
      { ALT: () => this.CONSUME(k.FALSE) },
      { ALT: () => this.CONSUME(k.UNKNOWN) },
      {
        ALT: () => {
          this.CONSUME(k.DISTINCT);
          this.CONSUME(k.FROM);
          this.SUBRULE(this.operand);
        },
      },
    ]);
  });

  /** in := IN '(' ( query | expression { ',' expression } ) ')' */
  readonly inList: Rule = this.RULE('inList', () => {
    this.CONSUME(k.IN);
    this.OR([
      { ALT: () => this.SUBRULE(this.subquery) },
      {
        ALT: () => {
          this.CONSUME(t.LParen);
          this.AT_LEAST_ONE_SEP({ SEP: t.Comma, DEF: () => this.SUBRULE(this.expression) });
          this.CONSUME(t.RParen);
        },
      },
    ]);
  });

  /** between := BETWEEN bound AND bound */
  readonly between: Rule = this.RULE('between', () => {
    this.CONSUME(k.BETWEEN);
    this.SUBRULE(this.bound);
    this.CONSUME(k.AND);
    this.SUBRULE2(this.bound);
  });

  /** like := ( LIKE | ILIKE ) bound [ ESCAPE bound ] */
  readonly like: Rule = this.RULE('like', () => {
    this.OR([{ ALT: () => this.CONSUME(k.LIKE) }, { ALT: () => this.CONSUME(k.ILIKE) }]);
    this.SUBRULE(this.bound);
    this.OPTION(() => {
      this.CONSUME(k.ESCAPE);
      this.SUBRULE2(this.bound);
    });
  });

  /** operand := { NOT | '-' | '+' } primary */
  readonly operand: Rule = this.RULE('operand', () => {
    this.MANY(() =>
      this.OR([
        { ALT: () => this.CONSUME(k.NOT) },
        { ALT: () => this.CONSUME(t.Minus) },
        { ALT: () => this.CONSUME(t.Plus) },
      ]),
    );
    this.OR2({
      DEF: (this.primaries ??= [
        { ALT: () => this.CONSUME(t.NumberToken) },
        { ALT: () => this.CONSUME(t.StringToken) },
        { ALT: () => this.CONSUME(t.Bind) },
        { ALT: () => this.CONSUME(k.TRUE) },
        { ALT: () => this.CONSUME(k.FALSE) },
        { ALT: () => this.CONSUME(k.NULL) },
        { ALT: () => this.SUBRULE(this.typedLiteral) },
        { ALT: () => this.SUBRULE(this.subquery) },
        {
          ALT: () => {
            this.CONSUME(t.LParen);
            this.SUBRULE(this.expression);
            this.CONSUME(t.RParen);
          },
        },
        { ALT: () => this.SUBRULE(this.case) },
        { ALT: () => this.SUBRULE(this.cast) },
        { ALT: () => this.SUBRULE(this.exists) },
        { ALT: () => this.SUBRULE(this.extract) },
        { ALT: () => this.SUBRULE(this.position) },
        { ALT: () => this.SUBRULE(this.substring) },
        { ALT: () => this.SUBRULE(this.trim) },
        { ALT: () => this.CONSUME(t.Placeholder) },
        { ALT: () => this.SUBRULE(this.named), IGNORE_AMBIGUITIES: true },
      ]),
      IGNORE_AMBIGUITIES: true,
    });
  });
  declare private primaries: { ALT: () => unknown; IGNORE_AMBIGUITIES?: boolean }[] | undefined;

  /** subquery := '(' query ')' */
  readonly subquery: Rule = this.RULE('subquery', () => {
    this.CONSUME(t.QueryParen);
    this.SUBRULE(this.query);
    this.CONSUME(t.RParen);
  });

  /** case := CASE [ expression ] { WHEN expression THEN expression } [ ELSE expression ] END */
  readonly case: Rule = this.RULE('case', () => {
    this.CONSUME(k.CASE);
    this.OPTION(() => this.SUBRULE(this.expression));
    this.AT_LEAST_ONE(() => this.SUBRULE(this.caseBranch));
    this.OPTION2(() => {
      this.CONSUME(k.ELSE);
      this.SUBRULE2(this.expression, { LABEL: 'otherwise' });
    });
    this.CONSUME(k.END);
  });

  readonly caseBranch: Rule = this.RULE('caseBranch', () => {
    this.CONSUME(k.WHEN);
    this.SUBRULE(this.expression, { LABEL: 'when' });
    this.CONSUME(k.THEN);
    this.SUBRULE2(this.expression, { LABEL: 'then' });
  });

  /** cast := CAST '(' expression AS typeName ')' */
  readonly cast: Rule = this.RULE('cast', () => {
    this.CONSUME(k.CAST);
    this.CONSUME(t.LParen);
    this.SUBRULE(this.expression);
    this.CONSUME(k.AS);
    this.SUBRULE(this.typeName);
    this.CONSUME(t.RParen);
  });

  /** exists := EXISTS '(' query ')' */
  readonly exists: Rule = this.RULE('exists', () => {
    this.CONSUME(k.EXISTS);
    this.SUBRULE(this.subquery);
  });

  /** extract := EXTRACT '(' word FROM expression ')' */
  readonly extract: Rule = this.RULE('extract', () => {
    this.CONSUME(k.EXTRACT);
    this.CONSUME(t.LParen);
    this.SUBRULE(this.name);
    this.CONSUME(k.FROM);
    this.SUBRULE(this.expression);
    this.CONSUME(t.RParen);
  });

  /** position := POSITION '(' bound ( IN expression | { ',' expression } ) ')' */
  readonly position: Rule = this.RULE('position', () => {
    this.CONSUME(k.POSITION);
    this.CONSUME(t.LParen);
    this.SUBRULE(this.bound);
    this.OR([
      {
        ALT: () => {
          this.CONSUME(k.IN);
          this.SUBRULE(this.expression);
        },
      },
      {
        ALT: () =>
          this.MANY(() => {
            this.CONSUME(t.Comma);
            this.SUBRULE2(this.expression);
          }),
      },
    ]);
    this.CONSUME(t.RParen);
  });

  /** substring := SUBSTRING '(' expression ( FROM expression [ FOR expression ] | FOR expression | { ',' expression } ) ')' */
  readonly substring: Rule = this.RULE('substring', () => {
    this.CONSUME(k.SUBSTRING);
    this.CONSUME(t.LParen);
    this.SUBRULE(this.expression);
    this.OR([
      {
        ALT: () => {
          this.CONSUME(k.FROM);
          this.SUBRULE2(this.expression, { LABEL: 'from' });
          this.OPTION(() => {
            this.CONSUME(k.FOR);
            this.SUBRULE3(this.expression, { LABEL: 'for' });
          });
        },
      },
      {
        ALT: () =>
          this.MANY(() => {
            this.CONSUME(t.Comma);
            this.SUBRULE4(this.expression);
          }),
      },
    ]);
    this.CONSUME(t.RParen);
  });

  /** trim := TRIM '(' [ LEADING | TRAILING | BOTH ] [ expression ] [ FROM expression | ',' expression ] ')' */
  readonly trim: Rule = this.RULE('trim', () => {
    this.CONSUME(k.TRIM);
    this.CONSUME(t.LParen);
    this.OPTION(() =>
      this.OR([
        { ALT: () => this.CONSUME(k.LEADING) },
        { ALT: () => this.CONSUME(k.TRAILING) },
        { ALT: () => this.CONSUME(k.BOTH) },
      ]),
    );
    this.OPTION2(() => this.SUBRULE(this.expression));
    this.OPTION3(() =>
      this.OR2([
        {
          ALT: () => {
            this.CONSUME(k.FROM);
            this.SUBRULE2(this.expression, { LABEL: 'from' });
          },
        },
        {
          ALT: () => {
            this.CONSUME(t.Comma);
            this.SUBRULE3(this.expression);
          },
        },
      ]),
    );
    this.CONSUME(t.RParen);
  });

  /** named := name ( arguments [ filter ] [ over ] | { '.' word } ) */
  readonly named: Rule = this.RULE('named', () => {
    this.CONSUME(t.Name);
    this.OR([
      {
        ALT: () => {
          this.SUBRULE(this.arguments);
          this.OPTION(() => this.SUBRULE(this.filter));
          this.OPTION2(() => this.SUBRULE(this.over));
        },
      },
      {
        ALT: () =>
          this.MANY(() => {
            this.CONSUME(t.Dot);
            this.CONSUME(t.Word);
          }),
      },
    ]);
  });

  /** arguments := '(' [ '*' | [ DISTINCT ] expression { ',' expression } [ ORDER BY orderItem { ',' orderItem } ] ] ')' */
  readonly arguments: Rule = this.RULE('arguments', () => {
    this.CONSUME(t.LParen);
    this.OPTION(() =>
      this.OR([
        { ALT: () => this.CONSUME(t.Star) },
        {
          ALT: () => {
            this.OPTION2(() => this.CONSUME(k.DISTINCT));
            this.AT_LEAST_ONE_SEP({ SEP: t.Comma, DEF: () => this.SUBRULE(this.expression) });
            this.OPTION3(() => this.SUBRULE(this.orderBy));
          },
        },
      ]),
    );
    this.CONSUME(t.RParen);
  });

  /** filter := FILTER '(' WHERE expression ')' */
  readonly filter: Rule = this.RULE('filter', () => {
    this.CONSUME(k.FILTER);
    this.CONSUME(t.LParen);
    this.CONSUME(k.WHERE);
    this.SUBRULE(this.expression);
    this.CONSUME(t.RParen);
  });

  /** over := OVER '(' [ PARTITION BY expression { ',' expression } ] [ orderBy ] [ frame ] ')' */
  readonly over: Rule = this.RULE('over', () => {
    this.CONSUME(k.OVER);
    this.CONSUME(t.LParen);
    this.OPTION(() => {
      this.CONSUME(k.PARTITION);
      this.CONSUME(k.BY);
      this.AT_LEAST_ONE_SEP({ SEP: t.Comma, DEF: () => this.SUBRULE(this.expression) });
    });
    this.OPTION2(() => this.SUBRULE(this.orderBy));
    this.OPTION3(() => this.SUBRULE(this.frame));
    this.CONSUME(t.RParen);
  });

  /** frame := ( ROWS | RANGE ) ( frameBound | BETWEEN frameBound AND frameBound ) */
  readonly frame: Rule = this.RULE('frame', () => {
    this.OR([{ ALT: () => this.CONSUME(k.ROWS) }, { ALT: () => this.CONSUME(k.RANGE) }]);
    this.OR2([
      {
        ALT: () => {
          this.CONSUME(k.BETWEEN);
          this.SUBRULE(this.frameBound);
          this.CONSUME(k.AND);
          this.SUBRULE2(this.frameBound);
        },
      },
      { ALT: () => this.SUBRULE3(this.frameBound) },
    ]);
  });

  /** frameBound := ( UNBOUNDED | bound ) ( PRECEDING | FOLLOWING ) | CURRENT ROW */
  readonly frameBound: Rule = this.RULE('frameBound', () => {
    this.OR([
      {
        ALT: () => {
          this.CONSUME(k.CURRENT);
          this.CONSUME(k.ROW);
        },
      },
      {
        ALT: () => {
          this.OR2([
            { ALT: () => this.CONSUME(k.UNBOUNDED) },
            { ALT: () => this.SUBRULE(this.bound), IGNORE_AMBIGUITIES: true },
          ]);
          this.OR3([{ ALT: () => this.CONSUME(k.PRECEDING) }, { ALT: () => this.CONSUME(k.FOLLOWING) }]);
        },
        IGNORE_AMBIGUITIES: true,
      },
    ]);
  });

  /** orderBy := ORDER BY orderItem { ',' orderItem } */
  readonly orderBy: Rule = this.RULE('orderBy', () => {
    this.CONSUME(k.ORDER);
    this.CONSUME(k.BY);
    this.AT_LEAST_ONE_SEP({ SEP: t.Comma, DEF: () => this.SUBRULE(this.orderItem) });
  });

  /** orderItem := expression [ ASC | DESC ] [ NULLS ( FIRST | LAST ) ] */
  readonly orderItem: Rule = this.RULE('orderItem', () => {
    this.SUBRULE(this.expression);
    this.OPTION(() => this.OR([{ ALT: () => this.CONSUME(k.ASC) }, { ALT: () => this.CONSUME(k.DESC) }]));
    this.OPTION2(() => {
      this.CONSUME(k.NULLS);
      this.OR2([{ ALT: () => this.CONSUME(k.FIRST) }, { ALT: () => this.CONSUME(k.LAST) }]);
    });
  });
}
