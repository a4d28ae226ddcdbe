import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import type {
  AsOf,
  CommonTable,
  Expression,
  Query,
  QueryBody,
  Relation,
  Select,
  SelectItem,
  SetOperation,
  Values,
  ValuesRow,
  WindowDefinition,
} from '../ast.ts';
import { numberText } from '../tokens/token-text.ts';
import * as t from '../tokens/vocabulary.ts';
import type { Written } from './chain.ts';
import { RelationGrammar } from './relations.ts';
import { behind, type Clause, type ReadToken } from './words.ts';

const k = t.keyword;

/** A query that may be a whole statement or end one: only there it may name a moment. */
export interface WholeQuery {
  readonly query: Query;
  readonly asOf?: AsOf;
}

type SetOperator = Pick<SetOperation, 'operator' | 'all'>;
type Slice = Pick<Query, 'limit' | 'offset'>;

/** Queries (docs/language.md#queries). */
export abstract class QueryGrammar extends RelationGrammar {
  /**
   * query := [ WITH [ RECURSIVE ] commonTable { ',' commonTable } ] queryBody [ orderBy ] { LIMIT expression | OFFSET expression }
   *          [ asOf ]                                                                         (only at the end of a statement)
   */
  readonly query = this.RULE('query', (): WholeQuery => {
    const start = this.start();
    let recursive = false;
    const tables = this.OPTION(() => {
      this.CONSUME(k.WITH);
      const given = this.OPTION2({ GATE: () => !this.recursiveIsName(), DEF: () => this.CONSUME(k.RECURSIVE) });
      recursive = given !== undefined;
      return this.list(() => this.SUBRULE(this.commonTable));
    });
    const terms = [this.SUBRULE(this.queryTerm)];
    const operators: SetOperator[] = [];
    this.MANY(() => {
      operators.push(this.SUBRULE(this.setOperator));
      terms.push(this.SUBRULE2(this.queryTerm));
    });
    const orderBy = this.OPTION3(() => this.SUBRULE(this.orderBy));
    const slices: Clause<Slice>[] = [];
    this.MANY2(() => slices.push(this.SUBRULE(this.slice)));
    const asOf = this.OPTION4({ GATE: () => this.opensAsOf(), DEF: () => this.SUBRULE(this.asOf) });
    return this.ACTION(() => {
      const body = this.bodyOf(terms, operators);
      const alone = tables === undefined && orderBy === undefined && slices.length === 0;
      const moment = asOf === undefined ? {} : { asOf };
      // A query that only contains another query in parentheses is that query.
      if (alone && body.kind === 'Query') return { query: body, ...moment };
      const query: Query = {
        kind: 'Query',
        span: this.spanFrom(start),
        recursive,
        with: tables ?? [],
        body,
        orderBy: orderBy ?? [],
        ...this.once(slices, ['limit', 'offset']),
      };
      return { query, ...moment };
    });
  });

  /** A query inside a statement. */
  protected inner({ query, asOf }: WholeQuery): Query {
    if (asOf !== undefined) this.context.report(diagnose('E0121', asOf.span, {}));
    return query;
  }

  /** INTERSECT binds tighter than UNION and EXCEPT; all associate to the left. */
  private bodyOf([first, ...others]: readonly Written<QueryBody>[], operators: readonly SetOperator[]): QueryBody {
    let outer: Written<QueryBody> | undefined;
    let pending: SetOperator | undefined;
    let inner = first as Written<QueryBody>; // the grammar reads one term more than operators
    for (const [index, term] of others.entries()) {
      const operator = operators[index] as SetOperator; // the same
      if (operator.operator === 'INTERSECT') {
        inner = this.combined(inner, operator, term);
        continue;
      }
      outer = outer === undefined || pending === undefined ? inner : this.combined(outer, pending, inner);
      pending = operator;
      inner = term;
    }
    return (outer === undefined || pending === undefined ? inner : this.combined(outer, pending, inner)).node;
  }

  private combined(
    { node: left, start }: Written<QueryBody>,
    operator: SetOperator,
    { node: right, end }: Written<QueryBody>,
  ): Written<QueryBody> {
    const span = this.context.spanAt(start, end);
    return { node: { kind: 'SetOperation', span, ...operator, left, right }, start, end };
  }

  /** asOf := AS OF ( POSITION number | TIMESTAMP expression | EACH )              (the words are names elsewhere) */
  readonly asOf = this.RULE('asOf', (): AsOf => {
    const start = this.start();
    this.CONSUME(k.AS);
    this.CONSUME(k.OF);
    const moment = this.OR<Pick<AsOf, 'unit' | 'position' | 'time'>>([
      {
        GATE: () => this.isWord(1, 'POSITION'),
        ALT: () =>
          behind(this.CONSUME2(t.Identifier), {
            unit: 'position',
            position: this.positionOf(this.CONSUME(t.NumberToken)),
          }),
        IGNORE_AMBIGUITIES: true,
      },
      {
        GATE: () => this.isWord(1, 'EACH'),
        ALT: () => behind(this.CONSUME3(t.Identifier), { unit: 'each' }),
        IGNORE_AMBIGUITIES: true,
      },
      {
        ALT: () => {
          // Before a string the word is a part of the expression.
          this.OPTION({
            GATE: () => this.isWord(1, 'TIMESTAMP') && this.LA(1).tokenType === t.Identifier,
            DEF: () => this.CONSUME4(t.Identifier),
          });
          return { unit: 'timestamp', time: this.SUBRULE(this.expression) };
        },
        IGNORE_AMBIGUITIES: true,
      },
    ]);
    return { kind: 'AsOf', span: this.spanFrom(start), ...moment };
  });

  private positionOf(token: ReadToken): number {
    const text = numberText(token);
    const position = /^\d{1,16}$/.test(text) ? Number(text) : NaN;
    if (Number.isSafeInteger(position)) return position;
    this.context.report(diagnose('E0122', this.spanOf(token), { given: token.image }));
    return 0;
  }

  /** In `WITH recursive AS (…)` the word is a table's name. */
  private recursiveIsName(): boolean {
    const next = this.LA(2).tokenType;
    return next === k.AS || next === t.LParen;
  }

  /** slice := LIMIT expression | OFFSET expression */
  readonly slice = this.RULE('slice', (): Clause<Slice> => {
    const token = this.LA(1);
    const isLimit = this.oneOf(['LIMIT', 'OFFSET']) === 'LIMIT';
    const value = this.SUBRULE(this.expression);
    return this.clause<Slice>(token, isLimit ? { limit: value } : { offset: value });
  });

  /** commonTable := name [ nameList ] AS '(' query ')' */
  readonly commonTable = this.RULE('commonTable', (): CommonTable => {
    const start = this.start();
    const name = this.SUBRULE(this.name);
    const columns = this.OPTION(() => this.SUBRULE(this.nameList));
    this.CONSUME(k.AS);
    const query = this.OR<Query>([
      { ALT: () => this.SUBRULE(this.subquery) },
      {
        ALT: () => this.parenthesised(() => this.inner(this.SUBRULE(this.query))),
      },
    ]);
    return this.node(start, { kind: 'CommonTable', name, columns, query });
  });

  /** subquery := '(' query ')' */
  readonly subquery = this.RULE('subquery', (): Query => {
    this.CONSUME(t.QueryParen);
    const query = this.inner(this.SUBRULE(this.query));
    this.CONSUME(t.RParen);
    return query;
  });

  /** setOperator := ( UNION | INTERSECT | EXCEPT ) [ ALL | DISTINCT ] */
  readonly setOperator = this.RULE('setOperator', (): SetOperator => {
    const operator = this.oneOf(['UNION', 'INTERSECT', 'EXCEPT']);
    const all = this.OPTION(() => this.oneOf(['ALL', 'DISTINCT'], 2)) === 'ALL';
    return { operator, all };
  });

  /** queryTerm := select | values | '(' query ')' */
  readonly queryTerm = this.RULE('queryTerm', (): Written<QueryBody> => {
    const start = this.start();
    const node = this.OR<QueryBody>([
      { ALT: () => this.SUBRULE(this.select) },
      { ALT: () => this.SUBRULE(this.values) },
      { ALT: () => this.SUBRULE(this.subquery) },
    ]);
    return { node, start, end: this.end() };
  });

  /** values := VALUES valuesRow { ',' valuesRow } */
  readonly values = this.RULE('values', (): Values => {
    const start = this.start();
    this.CONSUME(k.VALUES);
    const rows = this.list(() => this.SUBRULE(this.valuesRow));
    return { kind: 'Values', span: this.spanFrom(start), rows };
  });

  /** valuesRow := '(' expression { ',' expression } ')' */
  readonly valuesRow = this.RULE('valuesRow', (): ValuesRow => {
    const start = this.start();
    const values = this.parenthesised(() => this.list(() => this.SUBRULE(this.expression)));
    return { kind: 'ValuesRow', span: this.spanFrom(start), values };
  });

  /**
   * select := SELECT [ DISTINCT ] selectItem { ',' selectItem } [ FROM relation { ',' relation } ]
   *           [ WHERE expression ] [ GROUP BY expression { ',' expression } ] [ HAVING expression ]
   *           [ WINDOW windowDefinition { ',' windowDefinition } ]
   */
  readonly select = this.RULE('select', (): Select => {
    const start = this.start();
    this.CONSUME(k.SELECT);
    const distinct = this.OPTION(() => this.CONSUME(k.DISTINCT)) !== undefined;
    const items = this.list(() => this.SUBRULE(this.selectItem));
    const from = this.OPTION2(() => {
      const relations: Written<Relation>[] = [];
      this.CONSUME(k.FROM);
      this.AT_LEAST_ONE_SEP2({ SEP: t.Comma, DEF: () => relations.push(this.SUBRULE(this.relation)) });
      return this.ACTION(() => this.crossJoined(relations));
    });
    const where = this.OPTION3(() => behind(this.CONSUME(k.WHERE), this.SUBRULE(this.expression)));
    const groupBy: Expression[] = [];
    this.OPTION4(() => {
      this.CONSUME(k.GROUP);
      this.CONSUME(k.BY);
      this.AT_LEAST_ONE_SEP3({ SEP: t.Comma, DEF: () => groupBy.push(this.SUBRULE2(this.expression)) });
    });
    const having = this.OPTION5(() => behind(this.CONSUME(k.HAVING), this.SUBRULE3(this.expression)));
    const windows: WindowDefinition[] = [];
    this.OPTION6(() => {
      this.CONSUME(k.WINDOW);
      this.AT_LEAST_ONE_SEP4({ SEP: t.Comma, DEF: () => windows.push(this.SUBRULE(this.windowDefinition)) });
    });
    return this.node(start, { kind: 'Select', distinct, items, from, where, groupBy, having, windows });
  });

  /** windowDefinition := name AS windowSpecification */
  readonly windowDefinition = this.RULE('windowDefinition', (): WindowDefinition => {
    const start = this.start();
    const name = this.SUBRULE(this.name);
    this.CONSUME(k.AS);
    const specification = this.SUBRULE(this.windowSpecification);
    return { kind: 'WindowDefinition', span: this.spanFrom(start), name, specification };
  });

  /** selectItem := '*' | name '.' '*' | expression [ alias ] */
  readonly selectItem = this.RULE('selectItem', (): SelectItem => {
    const start = this.start();
    return this.OR<SelectItem>([
      { ALT: () => ({ kind: 'SelectStar', span: this.spanOf(this.CONSUME(t.Star)) }) },
      {
        GATE: () => this.LA(2).tokenType === t.Dot && this.LA(3).tokenType === t.Star,
        ALT: () => {
          const qualifier = this.SUBRULE(this.name);
          this.CONSUME(t.Dot);
          this.CONSUME2(t.Star);
          return { kind: 'SelectStar', span: this.spanFrom(start), qualifier };
        },
        IGNORE_AMBIGUITIES: true,
      },
      {
        ALT: () => {
          const expression = this.SUBRULE(this.expression);
          const alias = this.OPTION({ GATE: () => !this.endsQuery(), DEF: () => this.SUBRULE(this.alias) });
          return this.node(start, { kind: 'SelectExpression', expression, alias });
        },
      },
    ]);
  });
}
