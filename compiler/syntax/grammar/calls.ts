import type {
  Expression,
  FrameBound,
  FrameExclusion,
  FunctionCall,
  Name,
  OrderItem,
  WindowFrame,
  WindowSpecification,
} from '../ast.ts';
import * as t from '../tokens/vocabulary.ts';
import { ExpressionGrammar } from './expressions.ts';
import { behind, type ReadToken } from './words.ts';

const k = t.keyword;

type Arguments = Pick<FunctionCall, 'arguments' | 'star' | 'distinct' | 'orderBy'>;
const noArguments: Arguments = { arguments: [], star: false, distinct: false, orderBy: [] };

/** SQL's functions that are called without parentheses. */
const bareFunctions: ReadonlySet<string> = new Set(['CURRENT_TIMESTAMP', 'CURRENT_DATE']);

/** Columns, calls, and the parts of calls: arguments, filters, windows, orders (docs/language.md#queries). */
export abstract class CallGrammar extends ExpressionGrammar {
  /** extract := EXTRACT '(' word FROM expression ')' */
  readonly extract = this.RULE('extract', (): Expression => {
    const start = this.start();
    this.CONSUME(k.EXTRACT);
    this.CONSUME(t.LParen);
    const part = this.SUBRULE(this.name);
    this.CONSUME(k.FROM);
    const operand = this.SUBRULE(this.expression);
    this.CONSUME(t.RParen);
    const span = this.spanFrom(start);
    return this.ACTION(() => ({ kind: 'Extract', span, field: part.text.toUpperCase(), operand }));
  });

  /** position := POSITION '(' bound ( IN expression | { ',' expression } ) ')' */
  readonly position = this.RULE('position', (): Expression => {
    const name = this.CONSUME(k.POSITION);
    this.CONSUME(t.LParen);
    const values = [this.SUBRULE(this.bound)];
    const form = this.OR<FunctionCall['form']>([
      {
        ALT: () => {
          this.CONSUME(k.IN);
          values.push(this.SUBRULE(this.expression));
          return 'words';
        },
      },
      {
        ALT: () => {
          this.MANY(() => {
            this.CONSUME(t.Comma);
            values.push(this.SUBRULE2(this.expression));
          });
          return 'plain';
        },
      },
    ]);
    this.CONSUME(t.RParen);
    return this.callOf(name, values, form);
  });

  /** substring := SUBSTRING '(' expression ( FROM expression [ FOR expression ] | FOR expression | { ',' expression } ) ')' */
  readonly substring = this.RULE('substring', (): Expression => {
    const name = this.CONSUME(k.SUBSTRING);
    this.CONSUME(t.LParen);
    const values = [this.SUBRULE(this.expression)];
    const form = this.OR<FunctionCall['form']>([
      {
        ALT: () => {
          this.CONSUME(k.FROM);
          values.push(this.SUBRULE2(this.expression));
          this.OPTION(() => {
            this.CONSUME(k.FOR);
            values.push(this.SUBRULE3(this.expression));
          });
          return 'words';
        },
      },
      {
        ALT: () => {
          this.MANY(() => {
            this.CONSUME(t.Comma);
            values.push(this.SUBRULE4(this.expression));
          });
          return 'plain';
        },
      },
    ]);
    this.CONSUME(t.RParen);
    return this.callOf(name, values, form);
  });

  /** trim := TRIM '(' [ LEADING | TRAILING | BOTH ] [ expression ] [ FROM expression | ',' expression ] ')' */
  readonly trim = this.RULE('trim', (): Expression => {
    const name = this.CONSUME(k.TRIM);
    this.CONSUME(t.LParen);
    const side = this.OPTION(() => this.oneOf(['LEADING', 'TRAILING', 'BOTH']));
    const first = this.OPTION2(() => this.SUBRULE(this.expression));
    const values = first === undefined ? [] : [first];
    let form: FunctionCall['form'] = side === undefined ? 'plain' : 'words';
    this.OPTION3(() => {
      this.OR2([
        {
          ALT: () => {
            this.CONSUME(k.FROM);
            values.unshift(this.SUBRULE2(this.expression));
            form = 'words';
          },
        },
        {
          ALT: () => {
            this.CONSUME(t.Comma);
            values.push(this.SUBRULE3(this.expression));
          },
        },
      ]);
    });
    this.CONSUME(t.RParen);
    const call = this.callOf(name, values, form);
    return side === undefined ? call : { ...call, trim: side };
  });

  /** The calls that SQL writes with words instead of commas; their arguments in plain order. */
  private callOf(word: ReadToken, values: readonly Expression[], form: FunctionCall['form']): FunctionCall {
    const span = this.spanFrom(word.startOffset);
    const name = this.nameOf(word);
    return { kind: 'FunctionCall', span, name, arguments: values, form, star: false, distinct: false, orderBy: [] };
  }

  /** named := name ( arguments [ filter ] [ over ] | { '.' word } ) */
  readonly named = this.RULE('named', (): Expression => {
    const start = this.start();
    const name = this.nameOf(this.CONSUME(t.Name));
    return this.OR<Expression>([
      {
        ALT: () => {
          const given = this.SUBRULE(this.arguments);
          const filter = this.OPTION(() => this.SUBRULE(this.filter));
          const over = this.OPTION2(() => this.SUBRULE(this.over));
          return this.node(start, {
            kind: 'FunctionCall',
            name,
            arguments: this.ACTION(() => claimNamed(name, given.arguments)),
            form: 'plain',
            star: given.star,
            distinct: given.distinct,
            orderBy: given.orderBy,
            filter,
            over,
          });
        },
      },
      {
        ALT: () => {
          const path = [name];
          this.MANY(() => {
            this.CONSUME(t.Dot);
            path.push(this.nameOf(this.CONSUME(t.Word)));
          });
          return this.columnOf(name, path, start);
        },
      },
    ]);
  });

  /** A column, or a function that needs no parentheses. */
  private columnOf(name: Name, path: readonly Name[], start: number): Expression {
    const span = this.spanFrom(start);
    if (path.length > 1 || name.quoted || !bareFunctions.has(name.text.toUpperCase()))
      return { kind: 'ColumnReference', span, path };
    return { kind: 'FunctionCall', span, name, form: 'bare', ...noArguments };
  }

  /** arguments := '(' [ '*' | [ DISTINCT ] expression { ',' expression } [ ORDER BY orderItem { ',' orderItem } ] ] ')' */
  readonly arguments = this.RULE('arguments', (): Arguments => {
    this.CONSUME(t.LParen);
    const given = this.OPTION(() =>
      this.OR<Arguments>([
        { ALT: () => behind(this.CONSUME(t.Star), { ...noArguments, star: true }) },
        {
          ALT: () => {
            const distinct = this.OPTION2(() => this.CONSUME(k.DISTINCT)) !== undefined;
            const values = this.list(() => this.SUBRULE(this.expression));
            const orderBy = this.OPTION3(() => this.SUBRULE(this.orderBy)) ?? [];
            return { arguments: values, star: false, distinct, orderBy };
          },
        },
      ]),
    );
    this.CONSUME(t.RParen);
    return given ?? noArguments;
  });

  /** filter := FILTER '(' WHERE expression ')' */
  readonly filter = this.RULE('filter', (): Expression => {
    this.CONSUME(k.FILTER);
    this.CONSUME(t.LParen);
    this.CONSUME(k.WHERE);
    const condition = this.SUBRULE(this.expression);
    this.CONSUME(t.RParen);
    return condition;
  });

  /** over := OVER ( name | windowSpecification ) */
  readonly over = this.RULE('over', (): Name | WindowSpecification =>
    behind(
      this.CONSUME(k.OVER),
      this.OR<Name | WindowSpecification>([
        { ALT: () => this.SUBRULE(this.name) },
        { ALT: () => this.SUBRULE(this.windowSpecification) },
      ]),
    ),
  );

  /** windowSpecification := '(' [ name ] [ PARTITION BY expression { ',' expression } ] [ orderBy ] [ frame ] ')' */
  readonly windowSpecification = this.RULE('windowSpecification', (): WindowSpecification => {
    const start = this.start();
    this.CONSUME(t.LParen);
    const base = this.OPTION({ GATE: () => !this.opensWindow(), DEF: () => this.SUBRULE(this.name) });
    const partitionBy = this.OPTION2(() =>
      behind(
        this.CONSUME(k.PARTITION),
        this.CONSUME(k.BY),
        this.list(() => this.SUBRULE(this.expression)),
      ),
    );
    const orderBy = this.OPTION3(() => this.SUBRULE(this.orderBy));
    const frame = this.OPTION4(() => this.SUBRULE(this.frame));
    this.CONSUME(t.RParen);
    return this.node(start, {
      kind: 'WindowSpecification',
      base,
      partitionBy: partitionBy ?? [],
      orderBy: orderBy ?? [],
      frame,
    });
  });

  /** Words that cannot name a window here, as in PostgreSQL. */
  private opensWindow(): boolean {
    const next = this.LA(1).tokenType;
    return next === k.PARTITION || next === k.ROWS || next === k.RANGE || next === k.GROUPS;
  }

  /** frame := ( ROWS | RANGE | GROUPS ) ( frameBound | BETWEEN frameBound AND frameBound ) [ exclusion ] */
  readonly frame = this.RULE('frame', (): WindowFrame => {
    const from = this.start();
    const unit = this.oneOf(['ROWS', 'RANGE', 'GROUPS']);
    const bounds = this.OR2<Pick<WindowFrame, 'start' | 'end'>>([
      {
        ALT: () => {
          this.CONSUME(k.BETWEEN);
          const start = this.SUBRULE(this.frameBound);
          this.CONSUME(k.AND);
          return { start, end: this.SUBRULE2(this.frameBound) };
        },
      },
      { ALT: () => ({ start: this.SUBRULE3(this.frameBound) }) },
    ]);
    const exclude = this.OPTION(() => this.SUBRULE(this.exclusion));
    return this.node(from, { kind: 'WindowFrame', unit, ...bounds, exclude });
  });

  /** exclusion := EXCLUDE ( CURRENT ROW | GROUP | TIES | NO OTHERS ) */
  readonly exclusion = this.RULE('exclusion', (): FrameExclusion => {
    this.CONSUME(k.EXCLUDE);
    return this.OR<FrameExclusion>([
      { ALT: () => behind(this.CONSUME(k.CURRENT), this.CONSUME(k.ROW), 'CURRENT ROW') },
      this.word(k.GROUP, 'GROUP'),
      this.word(k.TIES, 'TIES'),
      { ALT: () => behind(this.CONSUME(k.NO), this.CONSUME(k.OTHERS), 'NO OTHERS') },
    ]);
  });

  /** frameBound := ( UNBOUNDED | bound ) ( PRECEDING | FOLLOWING ) | CURRENT ROW */
  readonly frameBound = this.RULE('frameBound', (): FrameBound =>
    this.OR<FrameBound>([
      { ALT: () => behind(this.CONSUME(k.CURRENT), this.CONSUME(k.ROW), { at: 'CURRENT ROW' }) },
      {
        ALT: () => {
          const offset = this.OR2<Expression | undefined>([
            this.word(k.UNBOUNDED, undefined),
            { ALT: () => this.SUBRULE(this.bound), IGNORE_AMBIGUITIES: true },
          ]);
          const side = this.oneOf(['PRECEDING', 'FOLLOWING'], 3);
          return offset === undefined ? { at: `UNBOUNDED ${side}` } : { at: side, offset };
        },
        IGNORE_AMBIGUITIES: true,
      },
    ]),
  );

  /** orderBy := ORDER BY orderItem { ',' orderItem } */
  readonly orderBy = this.RULE('orderBy', (): readonly OrderItem[] =>
    behind(
      this.CONSUME(k.ORDER),
      this.CONSUME(k.BY),
      this.list(() => this.SUBRULE(this.orderItem)),
    ),
  );

  /** orderItem := expression [ ASC | DESC ] [ NULLS ( FIRST | LAST ) ] */
  readonly orderItem = this.RULE('orderItem', (): OrderItem => {
    const start = this.start();
    const expression = this.SUBRULE(this.expression);
    const direction = this.OPTION(() => this.oneOf(['ASC', 'DESC']));
    const nulls = this.OPTION2(() => behind(this.CONSUME(k.NULLS), this.oneOf(['FIRST', 'LAST'], 2)));
    return this.node(start, { kind: 'OrderItem', expression, direction, nulls });
  });
}

/** The placeholder in `CLAIM({{name}})` is a name, although placeholders of other arguments are literals. */
function claimNamed(called: Name, given: readonly Expression[]): readonly Expression[] {
  const [only] = given;
  if (called.text.toUpperCase() !== 'CLAIM' || given.length !== 1 || only?.kind !== 'StringLiteral') return given;
  const { span, value } = only;
  if (!span.file.text.startsWith('{{', span.start)) return given;
  return [{ kind: 'ColumnReference', span, path: [{ kind: 'Name', span, text: value, quoted: false }] }];
}
