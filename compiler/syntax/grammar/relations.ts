import type { Join, Name, NamedRelation, Relation, RelationName } from '../ast.ts';
import * as t from '../tokens/vocabulary.ts';
import { CallGrammar } from './calls.ts';
import type { Written } from './chain.ts';
import { behind } from './words.ts';

const k = t.keyword;

/** A join without its left side. */
interface JoinedTerm {
  readonly right: Written<Relation>;
  readonly parts: Pick<Join, 'type' | 'on' | 'using'>;
  readonly end: number;
}

/** The relations of FROM (docs/language.md#queries). */
export abstract class RelationGrammar extends CallGrammar {
  /** relation := relationTerm { join } */
  readonly relation = this.RULE('relation', (): Written<Relation> => {
    const first = this.SUBRULE(this.relationTerm);
    const joins: JoinedTerm[] = [];
    this.MANY(() => joins.push(this.SUBRULE(this.join)));
    return this.ACTION(() =>
      joins.reduce((left, { right, parts, end }) => this.joined(left, right, parts, end), first),
    );
  });

  /** Commas are cross joins of the relations between them. */
  protected crossJoined(relations: readonly Written<Relation>[]): Relation {
    return relations.reduce((left, right) => this.joined(left, right, { type: 'CROSS' }, right.end)).node;
  }

  private joined(
    { node: left, start }: Written<Relation>,
    { node: right }: Written<Relation>,
    { type, ...condition }: JoinedTerm['parts'],
    end: number,
  ): Written<Relation> {
    const span = this.context.spanAt(start, end);
    return { node: { kind: 'Join', span, type, left, right, ...condition }, start, end };
  }

  /**
   * join := CROSS JOIN relationTerm
   *       | [ INNER | ( LEFT | RIGHT | FULL ) [ OUTER ] ] JOIN relationTerm ( ON expression | USING nameList )
   */
  readonly join = this.RULE('join', (): JoinedTerm =>
    this.OR<JoinedTerm>([
      {
        ALT: () =>
          behind(this.CONSUME(k.CROSS), this.CONSUME(k.JOIN), {
            right: this.SUBRULE(this.relationTerm),
            parts: { type: 'CROSS' },
            end: this.end(),
          }),
      },
      {
        ALT: () => {
          const type = this.OPTION(() =>
            this.OR2<Join['type']>([
              this.word(k.INNER, 'INNER'),
              {
                ALT: () => {
                  const side = this.oneOf(['LEFT', 'RIGHT', 'FULL'], 3);
                  this.OPTION2(() => this.CONSUME(k.OUTER));
                  return side;
                },
              },
            ]),
          );
          this.CONSUME2(k.JOIN);
          const right = this.SUBRULE2(this.relationTerm);
          const condition = this.OR4<Pick<Join, 'on' | 'using'>>([
            { ALT: () => behind(this.CONSUME(k.ON), { on: this.SUBRULE(this.expression) }) },
            { ALT: () => behind(this.CONSUME(k.USING), { using: this.SUBRULE(this.nameList) }) },
          ]);
          return { right, parts: { type: type ?? 'INNER', ...condition }, end: this.end() };
        },
      },
    ]),
  );

  /** relationTerm := [ LATERAL ] '(' query ')' [ relationAlias ] | '(' relation ')' | relationName [ relationAlias ] */
  readonly relationTerm = this.RULE('relationTerm', (): Written<Relation> => {
    const start = this.start();
    const node = this.OR<Relation>([
      {
        GATE: () => this.LA(1).tokenType === t.QueryParen || this.LA(2).tokenType === t.QueryParen,
        ALT: () => {
          const lateral = this.OPTION3(() => this.CONSUME(k.LATERAL)) === undefined ? {} : ({ lateral: true } as const);
          const query = this.SUBRULE(this.subquery);
          const alias = this.OPTION({ GATE: () => !this.endsQuery(), DEF: () => this.SUBRULE(this.relationAlias) });
          return { kind: 'DerivedRelation', span: this.spanFrom(start), ...lateral, query, ...alias };
        },
      },
      {
        ALT: () => {
          const { node: inner } = this.parenthesised(() => this.SUBRULE(this.relation));
          return inner;
        },
      },
      {
        IGNORE_AMBIGUITIES: true,
        ALT: () => {
          const { schema, name } = this.SUBRULE(this.relationName);
          const alias = this.OPTION2({ GATE: () => !this.endsQuery(), DEF: () => this.SUBRULE2(this.relationAlias) });
          const named = schema === undefined ? { name } : { schema, name };
          return { kind: 'NamedRelation', span: this.spanFrom(start), ...named, ...alias };
        },
      },
    ]);
    return { node, start, end: this.end() };
  });

  /** relationAlias := alias [ nameList ] */
  readonly relationAlias = this.RULE('relationAlias', (): Pick<NamedRelation, 'alias' | 'columns'> => {
    const alias = this.SUBRULE(this.alias);
    const columns = this.OPTION(() => this.SUBRULE(this.nameList));
    return columns === undefined ? { alias } : { alias, columns };
  });

  /** relationName := name [ '.' word ] */
  readonly relationName = this.RULE('relationName', (): RelationName => {
    const start = this.start();
    const first = this.nameOf(this.CONSUME(t.Name));
    const second = this.OPTION(() => behind(this.CONSUME(t.Dot), this.nameOf(this.CONSUME(t.Word))));
    const names = second === undefined ? { name: first } : { schema: first, name: second };
    return { kind: 'RelationName', span: this.spanFrom(start), ...names };
  });

  /** alias := AS name | a word that opens no clause */
  readonly alias = this.RULE('alias', (): Name =>
    this.OR<Name>([
      { ALT: () => behind(this.CONSUME(k.AS), this.nameOf(this.CONSUME(t.Name))) },
      { ALT: () => this.nameOf(this.CONSUME(t.Alias)) },
    ]),
  );

  /** An `AS` that is no alias. */
  protected endsQuery(): boolean {
    return this.opensEmit() || this.opensAsOf();
  }

  /** `AS SELECT …` and `AS BRANCH Label SELECT …` open the emit of a decision without the word EMIT. */
  private opensEmit(): boolean {
    if (this.LA(1).tokenType !== k.AS) return false;
    const [next, label, third] = [2, 3, 4].map((ahead) => this.LA(ahead).tokenType);
    // Behind `(SELECT 1 AS branch)` the query may continue.
    return next === k.SELECT || (next === k.BRANCH && label !== t.RParen && third === k.SELECT);
  }

  /** `AS OF` is an alias unless one of the words for a moment follows. */
  protected opensAsOf(): boolean {
    if (this.LA(1).tokenType !== k.AS || !this.isWord(2, 'OF')) return false;
    return ['POSITION', 'TIMESTAMP', 'EACH'].some((word) => this.isWord(3, word));
  }

  protected isWord(distance: number, word: string): boolean {
    const { tokenType, image } = this.LA(distance);
    return tokenType !== t.QuotedIdentifier && image.toUpperCase() === word;
  }
}
