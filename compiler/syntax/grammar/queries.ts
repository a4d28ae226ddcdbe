import * as t from '../tokens/vocabulary.ts';
import { CallGrammar } from './calls.ts';
import type { Rule } from './words.ts';

const k = t.keyword;

/** Queries (docs/language.md#queries). */
export abstract class QueryGrammar extends CallGrammar {
  /**
   * query := [ WITH [ RECURSIVE ] commonTable { ',' commonTable } ] queryBody [ orderBy ] { LIMIT expression | OFFSET expression }
   *          [ asOf ]                                       (only at the end of a statement: `build/as-of.ts`)
   */
  readonly query: Rule = this.RULE('query', () => {
    this.OPTION(() => {
      this.CONSUME(k.WITH);
      this.OPTION2({ GATE: () => !this.recursiveIsName(), DEF: () => this.CONSUME(k.RECURSIVE) });
      this.AT_LEAST_ONE_SEP({ SEP: t.Comma, DEF: () => this.SUBRULE(this.commonTable) });
    });
    this.SUBRULE(this.queryTerm);
    this.MANY(() => {
      this.SUBRULE(this.setOperator);
      this.SUBRULE2(this.queryTerm);
    });
    this.OPTION3(() => this.SUBRULE(this.orderBy));
    this.MANY2(() => this.SUBRULE(this.slice));
    this.OPTION4({ GATE: () => this.opensAsOf(), DEF: () => this.SUBRULE(this.asOf) });
  });

  /** asOf := AS OF ( POSITION number | TIMESTAMP expression | EACH )              (the words are names elsewhere) */
  readonly asOf: Rule = this.RULE('asOf', () => {
    this.CONSUME(k.AS);
    this.CONSUME(k.OF);
    this.OR([
      {
        GATE: () => this.isWord(1, 'POSITION'),
        ALT: () => {
          this.CONSUME2(t.Identifier, { LABEL: 'position' });
          this.CONSUME(t.NumberToken);
        },
        IGNORE_AMBIGUITIES: true,
      },
      {
        GATE: () => this.isWord(1, 'EACH'),
        ALT: () => this.CONSUME3(t.Identifier, { LABEL: 'each' }),
        IGNORE_AMBIGUITIES: true,
      },
      {
        ALT: () => {
          // Before a string the word is a part of the expression.
          this.OPTION({
            GATE: () => this.isWord(1, 'TIMESTAMP') && this.LA(1).tokenType === t.Identifier,
            DEF: () => this.CONSUME4(t.Identifier, { LABEL: 'timestamp' }),
          });
          this.SUBRULE(this.expression);
        },
        IGNORE_AMBIGUITIES: true,
      },
    ]);
  });

  /** `AS OF` is an alias unless one of the words for a moment follows. */
  protected opensAsOf(): boolean {
    if (this.LA(1).tokenType !== k.AS || !this.isWord(2, 'OF')) return false;
    return ['POSITION', 'TIMESTAMP', 'EACH'].some((word) => this.isWord(3, word));
  }

  protected isWord(distance: number, word: string): boolean {
    const { tokenType, image } = this.LA(distance);
    return tokenType !== t.QuotedIdentifier && image.toUpperCase() === word;
  }

  /** In `WITH recursive AS (…)` the word is a table's name. */
  private recursiveIsName(): boolean {
    const next = this.LA(2).tokenType;
    return next === k.AS || next === t.LParen;
  }

  /** slice := LIMIT expression | OFFSET expression */
  readonly slice: Rule = this.RULE('slice', () => {
    this.OR([{ ALT: () => this.CONSUME(k.LIMIT) }, { ALT: () => this.CONSUME(k.OFFSET) }]);
    this.SUBRULE(this.expression);
  });

  /** commonTable := name [ nameList ] AS '(' query ')' */
  readonly commonTable: Rule = this.RULE('commonTable', () => {
    this.SUBRULE(this.name);
    this.OPTION(() => this.SUBRULE(this.nameList));
    this.CONSUME(k.AS);
    this.OR([
      { ALT: () => this.SUBRULE(this.subquery) },
      {
        ALT: () => {
          this.CONSUME(t.LParen);
          this.SUBRULE(this.query);
          this.CONSUME(t.RParen);
        },
      },
    ]);
  });

  /** setOperator := ( UNION | INTERSECT | EXCEPT ) [ ALL | DISTINCT ] */
  readonly setOperator: Rule = this.RULE('setOperator', () => {
    this.OR([
      { ALT: () => this.CONSUME(k.UNION) },
      { ALT: () => this.CONSUME(k.INTERSECT) },
      { ALT: () => this.CONSUME(k.EXCEPT) },
    ]);
    this.OPTION(() => this.OR2([{ ALT: () => this.CONSUME(k.ALL) }, { ALT: () => this.CONSUME(k.DISTINCT) }]));
  });

  /** queryTerm := select | values | '(' query ')' */
  readonly queryTerm: Rule = this.RULE('queryTerm', () => {
    this.OR([
      { ALT: () => this.SUBRULE(this.select) },
      { ALT: () => this.SUBRULE(this.values) },
      { ALT: () => this.SUBRULE(this.subquery) },
    ]);
  });

  /** values := VALUES valuesRow { ',' valuesRow } */
  readonly values: Rule = this.RULE('values', () => {
    this.CONSUME(k.VALUES);
    this.AT_LEAST_ONE_SEP({ SEP: t.Comma, DEF: () => this.SUBRULE(this.valuesRow) });
  });

  /** valuesRow := '(' expression { ',' expression } ')' */
  readonly valuesRow: Rule = this.RULE('valuesRow', () => {
    this.CONSUME(t.LParen);
    this.AT_LEAST_ONE_SEP({ SEP: t.Comma, DEF: () => this.SUBRULE(this.expression) });
    this.CONSUME(t.RParen);
  });

  /**
   * select := SELECT [ DISTINCT ] selectItem { ',' selectItem } [ FROM relation { ',' relation } ]
   *           [ WHERE expression ] [ GROUP BY expression { ',' expression } ] [ HAVING expression ]
   *           [ WINDOW windowDefinition { ',' windowDefinition } ]
   */
  readonly select: Rule = this.RULE('select', () => {
    this.CONSUME(k.SELECT);
    this.OPTION(() => this.CONSUME(k.DISTINCT));
    this.AT_LEAST_ONE_SEP({ SEP: t.Comma, DEF: () => this.SUBRULE(this.selectItem) });
    this.OPTION2(() => {
      this.CONSUME(k.FROM);
      this.AT_LEAST_ONE_SEP2({ SEP: t.Comma, DEF: () => this.SUBRULE(this.relation) });
    });
    this.OPTION3(() => {
      this.CONSUME(k.WHERE);
      this.SUBRULE(this.expression, { LABEL: 'where' });
    });
    this.OPTION4(() => {
      this.CONSUME(k.GROUP);
      this.CONSUME(k.BY);
      this.AT_LEAST_ONE_SEP3({ SEP: t.Comma, DEF: () => this.SUBRULE2(this.expression, { LABEL: 'groupBy' }) });
    });
    this.OPTION5(() => {
      this.CONSUME(k.HAVING);
      this.SUBRULE3(this.expression, { LABEL: 'having' });
    });
    this.OPTION6(() => {
      this.CONSUME(k.WINDOW);
      this.AT_LEAST_ONE_SEP4({ SEP: t.Comma, DEF: () => this.SUBRULE(this.windowDefinition) });
    });
  });

  /** windowDefinition := name AS windowSpecification */
  readonly windowDefinition: Rule = this.RULE('windowDefinition', () => {
    this.SUBRULE(this.name);
    this.CONSUME(k.AS);
    this.SUBRULE(this.windowSpecification);
  });

  /** selectItem := '*' | name '.' '*' | expression [ alias ] */
  readonly selectItem: Rule = this.RULE('selectItem', () => {
    this.OR([
      { ALT: () => this.CONSUME(t.Star) },
      {
        GATE: () => this.LA(2).tokenType === t.Dot && this.LA(3).tokenType === t.Star,
        ALT: () => {
          this.SUBRULE(this.name);
          this.CONSUME(t.Dot);
          this.CONSUME2(t.Star);
        },
        IGNORE_AMBIGUITIES: true,
      },
      {
        ALT: () => {
          this.SUBRULE(this.expression);
          this.OPTION({ GATE: () => !this.endsQuery(), DEF: () => this.SUBRULE(this.alias) });
        },
      },
    ]);
  });

  /** alias := AS name | a word that opens no clause */
  readonly alias: Rule = this.RULE('alias', () => {
    this.OR([
      {
        ALT: () => {
          this.CONSUME(k.AS);
          this.CONSUME(t.Name);
        },
      },
      { ALT: () => this.CONSUME(t.Alias) },
    ]);
  });

  /** An `AS` that is no alias. */
  private endsQuery(): boolean {
    return this.opensEmit() || this.opensAsOf();
  }

  /** `AS SELECT …` and `AS BRANCH Label SELECT …` open the emit of a decision without the word EMIT. */
  private opensEmit(): boolean {
    if (this.LA(1).tokenType !== k.AS) return false;
    const next = this.LA(2).tokenType;
    return next === k.SELECT || (next === k.BRANCH && this.LA(4).tokenType === k.SELECT);
  }

  /** relation := relationTerm { join } */
  readonly relation: Rule = this.RULE('relation', () => {
    this.SUBRULE(this.relationTerm);
    this.MANY(() => this.SUBRULE(this.join));
  });

  /**
   * join := CROSS JOIN relationTerm
   *       | [ INNER | ( LEFT | RIGHT | FULL ) [ OUTER ] ] JOIN relationTerm ( ON expression | USING nameList )
   */
  readonly join: Rule = this.RULE('join', () => {
    this.OR([
      {
        ALT: () => {
          this.CONSUME(k.CROSS);
          this.CONSUME(k.JOIN);
          this.SUBRULE(this.relationTerm);
        },
      },
      {
        ALT: () => {
          this.OPTION(() =>
            this.OR2([
              { ALT: () => this.CONSUME(k.INNER) },
              {
                ALT: () => {
                  this.OR3([
                    { ALT: () => this.CONSUME(k.LEFT) },
                    { ALT: () => this.CONSUME(k.RIGHT) },
                    { ALT: () => this.CONSUME(k.FULL) },
                  ]);
                  this.OPTION2(() => this.CONSUME(k.OUTER));
                },
              },
            ]),
          );
          this.CONSUME2(k.JOIN);
          this.SUBRULE2(this.relationTerm);
          this.OR4([
            {
              ALT: () => {
                this.CONSUME(k.ON);
                this.SUBRULE(this.expression);
              },
            },
            {
              ALT: () => {
                this.CONSUME(k.USING);
                this.SUBRULE(this.nameList);
              },
            },
          ]);
        },
      },
    ]);
  });

  /** relationTerm := [ LATERAL ] '(' query ')' [ relationAlias ] | '(' relation ')' | relationName [ relationAlias ] */
  readonly relationTerm: Rule = this.RULE('relationTerm', () => {
    this.OR([
      {
        GATE: () => this.LA(1).tokenType === t.QueryParen || this.LA(2).tokenType === t.QueryParen,
        ALT: () => {
          this.OPTION3(() => this.CONSUME(k.LATERAL));
          this.SUBRULE(this.subquery);
          this.OPTION({ GATE: () => !this.endsQuery(), DEF: () => this.SUBRULE(this.relationAlias) });
        },
      },
      {
        ALT: () => {
          this.CONSUME(t.LParen);
          this.SUBRULE(this.relation);
          this.CONSUME(t.RParen);
        },
      },
      {
        IGNORE_AMBIGUITIES: true,
        ALT: () => {
          this.SUBRULE(this.relationName);
          this.OPTION2({ GATE: () => !this.endsQuery(), DEF: () => this.SUBRULE2(this.relationAlias) });
        },
      },
    ]);
  });

  /** relationAlias := alias [ nameList ] */
  readonly relationAlias: Rule = this.RULE('relationAlias', () => {
    this.SUBRULE(this.alias);
    this.OPTION(() => this.SUBRULE(this.nameList));
  });

  /** relationName := name [ '.' word ] */
  readonly relationName: Rule = this.RULE('relationName', () => {
    this.CONSUME(t.Name);
    this.OPTION(() => {
      this.CONSUME(t.Dot);
      this.CONSUME(t.Word);
    });
  });
}
