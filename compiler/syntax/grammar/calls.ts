import * as t from '../tokens/vocabulary.ts';
import { ExpressionGrammar } from './expressions.ts';
import type { Rule } from './words.ts';

const k = t.keyword;

/** Columns, calls, and the parts of calls: arguments, filters, windows, orders (docs/language.md#queries). */
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

  /** over := OVER ( name | windowSpecification ) */
  readonly over: Rule = this.RULE('over', () => {
    this.CONSUME(k.OVER);
    this.OR([{ ALT: () => this.SUBRULE(this.name) }, { ALT: () => this.SUBRULE(this.windowSpecification) }]);
  });

  /** windowSpecification := '(' [ name ] [ PARTITION BY expression { ',' expression } ] [ orderBy ] [ frame ] ')' */
  readonly windowSpecification: Rule = this.RULE('windowSpecification', () => {
    this.CONSUME(t.LParen);
    this.OPTION({ GATE: () => !this.opensWindow(), DEF: () => this.SUBRULE(this.name) });
    this.OPTION2(() => {
      this.CONSUME(k.PARTITION);
      this.CONSUME(k.BY);
      this.AT_LEAST_ONE_SEP({ SEP: t.Comma, DEF: () => this.SUBRULE(this.expression) });
    });
    this.OPTION3(() => this.SUBRULE(this.orderBy));
    this.OPTION4(() => this.SUBRULE(this.frame));
    this.CONSUME(t.RParen);
  });

  /** Words that cannot name a window here, as in PostgreSQL. */
  private opensWindow(): boolean {
    const next = this.LA(1).tokenType;
    return next === k.PARTITION || next === k.ROWS || next === k.RANGE || next === k.GROUPS;
  }

  /** frame := ( ROWS | RANGE | GROUPS ) ( frameBound | BETWEEN frameBound AND frameBound ) [ exclusion ] */
  readonly frame: Rule = this.RULE('frame', () => {
    this.OR([
      { ALT: () => this.CONSUME(k.ROWS) },
      { ALT: () => this.CONSUME(k.RANGE) },
      { ALT: () => this.CONSUME(k.GROUPS) },
    ]);
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
    this.OPTION(() => this.SUBRULE(this.exclusion));
  });

  /** exclusion := EXCLUDE ( CURRENT ROW | GROUP | TIES | NO OTHERS ) */
  readonly exclusion: Rule = this.RULE('exclusion', () => {
    this.CONSUME(k.EXCLUDE);
    this.OR([
      {
        ALT: () => {
          this.CONSUME(k.CURRENT);
          this.CONSUME(k.ROW);
        },
      },
      { ALT: () => this.CONSUME(k.GROUP) },
      { ALT: () => this.CONSUME(k.TIES) },
      {
        ALT: () => {
          this.CONSUME(k.NO);
          this.CONSUME(k.OTHERS);
        },
      },
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
