import * as t from '../tokens/vocabulary.ts';
import { ExpressionGrammar } from './expressions.ts';
import type { Rule } from './words.ts';

const k = t.keyword;

/** Columns, calls, and what calls take: arguments, filters, windows, orders (language.md section 6). */
export abstract class CallGrammar extends ExpressionGrammar {
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
