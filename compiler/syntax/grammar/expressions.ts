import { defined } from '../../../language/values/defined.ts';
import type { AnyComparison, CaseBranch, Expression, IsTest, Query, TypeName } from '../ast.ts';
import type { IOrAlt } from '../chevrotain.ts';
import { precedence } from '../precedence.ts';
import * as t from '../tokens/vocabulary.ts';
import type { Span } from '../../../language/source/span.ts';
import { binary, chained, operatorOf, type Operand, type Operation } from './chain.ts';
import { behind, WordGrammar, type ReadToken, type Rule } from './words.ts';

const k = t.keyword;

/** Makes the node of IN, BETWEEN or LIKE from the expression before it. */
type Predicate = (span: Span, operand: Expression, negated: boolean) => Expression;

/** Makes the node of ANY or ALL from the left side of a comparison. */
type Quantified = (span: Span, operator: AnyComparison['operator'], left: Expression) => Expression;

/**
 * Expressions (docs/language.md#queries). A chain of operators is flat here: `chain.ts` applies precedence, so that a level of nesting needs few
 * rules and a long chain no depth at all.
 */
export abstract class ExpressionGrammar extends WordGrammar {
  protected abstract readonly subquery: Rule<Query>;
  protected abstract readonly extract: Rule<Expression>;
  protected abstract readonly position: Rule<Expression>;
  protected abstract readonly substring: Rule<Expression>;
  protected abstract readonly trim: Rule<Expression>;
  protected abstract readonly named: Rule<Expression>;

  /** expression := operand { operation } */
  readonly expression: Rule<Expression> = this.RULE('expression', (): Expression => {
    const operand = this.SUBRULE(this.operand);
    const operations: Operation[] = [];
    this.MANY(() => operations.push(this.SUBRULE(this.operation)));
    return this.ACTION(() => chained(operand, operations, this.context));
  });

  /** bound := operand { arithmetic operand | '::' typeName | atTimeZone } (where AND, ESCAPE or IN continues) */
  readonly bound: Rule<Expression> = this.RULE('bound', (): Expression => {
    const operand = this.SUBRULE(this.operand);
    const operations: Operation[] = [];
    this.MANY(() => operations.push(this.SUBRULE(this.boundOperation)));
    return this.ACTION(() => chained(operand, operations, this.context));
  });

  readonly boundOperation: Rule<Operation> = this.RULE('boundOperation', (): Operation =>
    this.OR<Operation>([
      { ALT: () => binary(operatorOf(this.CONSUME(t.Arithmetic)), this.SUBRULE(this.operand)) },
      { ALT: () => behind(this.CONSUME(t.DoubleColon), this.castTo(this.SUBRULE(this.typeName))) },
      { ALT: () => this.SUBRULE(this.atTimeZone) },
    ]),
  );

  private castTo(type: TypeName): Operation {
    return {
      level: precedence.cast,
      end: this.end(),
      test: (span, operand) => ({ kind: 'Cast', span, operand, type, form: '::' }),
    };
  }

  /** atTimeZone := AT TIME ZONE operand */
  readonly atTimeZone: Rule<Operation> = this.RULE('atTimeZone', (): Operation =>
    behind(this.CONSUME(k.AT), this.CONSUME(k.TIME), this.CONSUME(k.ZONE), {
      level: precedence.zone,
      operand: this.SUBRULE(this.operand),
      join: (span: Span, operand: Expression, zone: Expression) => ({ kind: 'AtTimeZone', span, operand, zone }),
    }),
  );

  /**
   * operation := ( OR | AND | arithmetic ) operand | '::' typeName | comparison ( operand | any )
   *            | IS [ NOT ] ( NULL | TRUE | FALSE | UNKNOWN | DISTINCT FROM operand )
   *            | [ NOT ] ( in | between | like ) | atTimeZone
   */
  readonly operation: Rule<Operation> = this.RULE('operation', (): Operation =>
    this.OR<Operation>([
      { ALT: () => binary(operatorOf(this.CONSUME(t.Logical)), this.SUBRULE(this.operand)) },
      { ALT: () => binary(operatorOf(this.CONSUME(t.Arithmetic)), this.SUBRULE2(this.operand)) },
      { ALT: () => behind(this.CONSUME(t.DoubleColon), this.castTo(this.SUBRULE(this.typeName))) },
      {
        ALT: () => {
          const comparison: ReadToken = this.CONSUME(t.Comparison);
          const operator = operatorOf(comparison);
          const operation = this.OR2<Operation>([
            { GATE: () => this.opensAny(), ALT: () => this.quantified(operator, this.SUBRULE(this.any)) },
            { ALT: () => binary(operator, this.SUBRULE3(this.operand)), IGNORE_AMBIGUITIES: true },
          ]);
          return { ...operation, comparison };
        },
        IGNORE_AMBIGUITIES: true,
      },
      { ALT: () => this.SUBRULE(this.atTimeZone) },
      { ALT: () => this.SUBRULE(this.isTest) },
      {
        ALT: () => {
          const negated = this.OPTION(() => this.CONSUME(k.NOT)) !== undefined;
          const predicate = this.OR3<Predicate>([
            { ALT: () => this.SUBRULE(this.inList) },
            { ALT: () => this.SUBRULE(this.between) },
            { ALT: () => this.SUBRULE(this.like) },
          ]);
          return {
            level: precedence.predicate,
            end: this.end(),
            test: (span: Span, operand: Expression) => predicate(span, operand, negated),
          };
        },
      },
    ]),
  );

  /** Elsewhere `all` is a name. */
  private opensAny(): boolean {
    return this.LA(1).tokenType === k.ANY || this.LA(2).tokenType === t.QueryParen;
  }

  private quantified(operator: ReturnType<typeof operatorOf>, quantified: Quantified): Operation {
    const sign = operator as AnyComparison['operator']; // only comparisons go with ANY
    return { level: precedence.comparison, end: this.end(), test: (span, left) => quantified(span, sign, left) };
  }

  /** any := ANY ( '(' expression ')' | '(' query ')' ) | ALL '(' query ')' */
  readonly any: Rule<Quantified> = this.RULE('any', (): Quantified =>
    this.OR<Quantified>([
      {
        ALT: () => {
          this.CONSUME(k.ANY);
          return this.OR2<Quantified>([
            { ALT: () => comparedQuery('ANY', this.SUBRULE(this.subquery)) },
            {
              ALT: () => {
                const list = this.parenthesised(() => this.SUBRULE(this.expression));
                return (span, operator, left) => ({ kind: 'AnyComparison', span, operator, left, list });
              },
            },
          ]);
        },
      },
      { ALT: () => behind(this.CONSUME(k.ALL), comparedQuery('ALL', this.SUBRULE2(this.subquery))) },
    ]),
  );

  readonly isTest: Rule<Operation> = this.RULE('isTest', (): Operation => {
    this.CONSUME(k.IS);
    const negated = this.OPTION(() => this.CONSUME(k.NOT)) !== undefined;
    const tested = ({ tokenType }: ReadToken): Operation => {
      const test = tokenType.name as IsTest['test']; // the keyword of one of the alternatives
      const end = this.end();
      return { level: precedence.is, end, test: (span, operand) => ({ kind: 'IsTest', span, operand, test, negated }) };
    };
    return this.OR<Operation>([
      { ALT: () => tested(this.CONSUME(k.NULL)) },
      { ALT: () => tested(this.CONSUME(k.TRUE)) },
      { ALT: () => tested(this.CONSUME(k.FALSE)) },
      { ALT: () => tested(this.CONSUME(k.UNKNOWN)) },
      {
        ALT: () =>
          behind(
            this.CONSUME(k.DISTINCT),
            this.CONSUME(k.FROM),
            binary(negated ? 'IS NOT DISTINCT FROM' : 'IS DISTINCT FROM', this.SUBRULE(this.operand)),
          ),
      },
    ]);
  });

  /** in := IN '(' ( query | expression { ',' expression } ) ')' */
  readonly inList: Rule<Predicate> = this.RULE('inList', (): Predicate => {
    this.CONSUME(k.IN);
    return this.OR<Predicate>([
      {
        ALT: () => {
          const query = this.SUBRULE(this.subquery);
          return (span, operand, negated) => ({ kind: 'InQuery', span, operand, query, negated });
        },
      },
      {
        ALT: () => {
          const list = this.parenthesised(() => this.list(() => this.SUBRULE(this.expression)));
          return (span, operand, negated) => ({ kind: 'InList', span, operand, list, negated });
        },
      },
    ]);
  });

  /** between := BETWEEN [ SYMMETRIC ] bound AND bound */
  readonly between: Rule<Predicate> = this.RULE('between', (): Predicate => {
    this.CONSUME(k.BETWEEN);
    const symmetric = this.OPTION(() => this.CONSUME(k.SYMMETRIC)) === undefined ? {} : ({ symmetric: true } as const);
    const low = this.SUBRULE(this.bound);
    this.CONSUME(k.AND);
    const high = this.SUBRULE2(this.bound);
    return (span, operand, negated) => ({ kind: 'Between', span, operand, low, high, negated, ...symmetric });
  });

  /** like := ( LIKE | ILIKE ) bound [ ESCAPE bound ] */
  readonly like: Rule<Predicate> = this.RULE('like', (): Predicate => {
    const caseInsensitive = this.oneOf(['LIKE', 'ILIKE']) === 'ILIKE';
    const pattern = this.SUBRULE(this.bound);
    const escape = this.OPTION(() => behind(this.CONSUME(k.ESCAPE), this.SUBRULE2(this.bound)));
    return (span, operand, negated) =>
      defined({ kind: 'Like', span, operand, pattern, escape, caseInsensitive, negated });
  });

  /** operand := { NOT | '-' | '+' } primary */
  readonly operand: Rule<Operand> = this.RULE('operand', (): Operand => {
    const prefixes: ReadToken[] = [];
    this.MANY(() => {
      this.OR([
        { ALT: () => prefixes.push(this.CONSUME(k.NOT)) },
        { ALT: () => prefixes.push(this.CONSUME(t.Minus)) },
        { ALT: () => prefixes.push(this.CONSUME(t.Plus)) },
      ]);
    });
    const start = this.start();
    const node = this.OR2<Expression>({
      DEF: (this.primaries ??= [
        { ALT: () => this.numberOf(this.CONSUME(t.NumberToken)) },
        { ALT: () => this.stringOf(this.CONSUME(t.StringToken)) },
        { ALT: () => this.parameterOf(this.CONSUME(t.Bind)) },
        { ALT: () => this.boolean(this.CONSUME(k.TRUE), true) },
        { ALT: () => this.boolean(this.CONSUME(k.FALSE), false) },
        { ALT: () => ({ kind: 'NullLiteral', span: this.spanOf(this.CONSUME(k.NULL)) }) },
        { ALT: () => this.SUBRULE(this.typedLiteral) },
        {
          ALT: () => {
            const from = this.start();
            const query = this.SUBRULE(this.subquery);
            return { kind: 'ScalarSubquery', span: this.spanFrom(from), query };
          },
        },
        {
          ALT: () => this.parenthesised(() => this.SUBRULE(this.expression)),
        },
        { ALT: () => this.SUBRULE(this.case) },
        { ALT: () => this.SUBRULE(this.cast) },
        { ALT: () => this.SUBRULE(this.exists) },
        { ALT: () => this.SUBRULE(this.extract) },
        { ALT: () => this.SUBRULE(this.position) },
        { ALT: () => this.SUBRULE(this.substring) },
        { ALT: () => this.SUBRULE(this.trim) },
        { ALT: () => this.literalFor(this.CONSUME(t.Placeholder)) },
        { ALT: () => this.SUBRULE(this.named), IGNORE_AMBIGUITIES: true },
      ]),
      IGNORE_AMBIGUITIES: true,
    });
    return { prefixes, node, start, end: this.end() };
  });
  declare private primaries: IOrAlt<Expression>[] | undefined;

  /** `:field`, or the literal that a text comes with for it. */
  private parameterOf(token: ReadToken): Expression {
    const { startOffset, image } = token;
    const span = this.spanOf(token);
    const place = this.context.spanAt(startOffset + 1, span.end);
    const text = token.text ?? image.slice(1);
    return (
      this.context.literalOf?.(text, span) ?? {
        kind: 'BindParameter',
        span,
        name: { kind: 'Name', span: place, text, quoted: image.charAt(1) === '"' },
      }
    );
  }

  /** case := CASE [ expression ] { WHEN expression THEN expression } [ ELSE expression ] END */
  readonly case: Rule<Expression> = this.RULE('case', (): Expression => {
    const start = this.start();
    this.CONSUME(k.CASE);
    const operand = this.OPTION(() => this.SUBRULE(this.expression));
    const branches: CaseBranch[] = [];
    this.AT_LEAST_ONE(() => branches.push(this.SUBRULE(this.caseBranch)));
    const otherwise = this.OPTION2(() => behind(this.CONSUME(k.ELSE), this.SUBRULE2(this.expression)));
    this.CONSUME(k.END);
    return this.node(start, { kind: 'Case', operand, branches, otherwise });
  });

  readonly caseBranch: Rule<CaseBranch> = this.RULE('caseBranch', (): CaseBranch => {
    const start = this.start();
    this.CONSUME(k.WHEN);
    const when = this.SUBRULE(this.expression);
    this.CONSUME(k.THEN);
    const then = this.SUBRULE2(this.expression);
    return { kind: 'CaseBranch', span: this.spanFrom(start), when, then };
  });

  /** cast := CAST '(' expression AS typeName ')' */
  readonly cast: Rule<Expression> = this.RULE('cast', (): Expression => {
    const start = this.start();
    this.CONSUME(k.CAST);
    this.CONSUME(t.LParen);
    const operand = this.SUBRULE(this.expression);
    this.CONSUME(k.AS);
    const type = this.SUBRULE(this.typeName);
    this.CONSUME(t.RParen);
    return { kind: 'Cast', span: this.spanFrom(start), operand, type, form: 'CAST' };
  });

  /** exists := EXISTS '(' query ')' */
  readonly exists: Rule<Expression> = this.RULE('exists', (): Expression => {
    const start = this.start();
    this.CONSUME(k.EXISTS);
    const query = this.SUBRULE(this.subquery);
    return { kind: 'Exists', span: this.spanFrom(start), query };
  });
}

/** A comparison with the rows of a query; some are an IN. */
function comparedQuery(quantifier: 'ANY' | 'ALL', query: Query): Quantified {
  const negated = quantifier === 'ALL';
  return (span, operator, left) =>
    operator === (negated ? '<>' : '=')
      ? { kind: 'InQuery', span, operand: left, query, negated, compared: true }
      : { kind: 'AnyQuery', span, operator, quantifier, left, query };
}
