import * as t from '../tokens/vocabulary.ts';
import { WordGrammar, type Rule } from './words.ts';

const k = t.keyword;

/**
 * Expressions (docs/language.md#queries). A chain of operators is flat here: `build/chain.ts` applies precedence, so that a level of
 * nesting needs few rules and a long chain no depth at all.
 */
export abstract class ExpressionGrammar extends WordGrammar {
  protected abstract readonly query: Rule;
  protected abstract readonly extract: Rule;
  protected abstract readonly position: Rule;
  protected abstract readonly substring: Rule;
  protected abstract readonly trim: Rule;
  protected abstract readonly named: Rule;

  /** expression := operand { operation } */
  readonly expression: Rule = this.RULE('expression', () => {
    this.SUBRULE(this.operand);
    this.MANY(() => this.SUBRULE(this.operation));
  });

  /** bound := operand { arithmetic operand | '::' typeName | atTimeZone }        (where AND, ESCAPE or IN goes on) */
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
      { ALT: () => this.SUBRULE(this.atTimeZone) },
    ]);
  });

  /** atTimeZone := AT TIME ZONE operand */
  readonly atTimeZone: Rule = this.RULE('atTimeZone', () => {
    this.CONSUME(k.AT);
    this.CONSUME(k.TIME);
    this.CONSUME(k.ZONE);
    this.SUBRULE(this.operand);
  });

  /**
   * operation := ( OR | AND | arithmetic ) operand | '::' typeName | comparison ( operand | any )
   *            | IS [ NOT ] ( NULL | TRUE | FALSE | UNKNOWN | DISTINCT FROM operand )
   *            | [ NOT ] ( in | between | like ) | atTimeZone
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
            { GATE: () => this.opensAny(), ALT: () => this.SUBRULE(this.any) },
            { ALT: () => this.SUBRULE3(this.operand), IGNORE_AMBIGUITIES: true },
          ]);
        },
        IGNORE_AMBIGUITIES: true,
      },
      { ALT: () => this.SUBRULE(this.atTimeZone) },
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

  /** Elsewhere `all` is a name. */
  private opensAny(): boolean {
    return this.LA(1).tokenType === k.ANY || this.LA(2).tokenType === t.QueryParen;
  }

  /** any := ANY ( '(' expression ')' | '(' query ')' ) | ALL '(' query ')' */
  readonly any: Rule = this.RULE('any', () => {
    this.OR([
      {
        ALT: () => {
          this.CONSUME(k.ANY);
          this.OR2([
            { ALT: () => this.SUBRULE(this.subquery) },
            {
              ALT: () => {
                this.CONSUME(t.LParen);
                this.SUBRULE(this.expression);
                this.CONSUME(t.RParen);
              },
            },
          ]);
        },
      },
      {
        ALT: () => {
          this.CONSUME(k.ALL);
          this.SUBRULE2(this.subquery);
        },
      },
    ]);
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

  /** between := BETWEEN [ SYMMETRIC ] bound AND bound */
  readonly between: Rule = this.RULE('between', () => {
    this.CONSUME(k.BETWEEN);
    this.OPTION(() => this.CONSUME(k.SYMMETRIC));
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
}
