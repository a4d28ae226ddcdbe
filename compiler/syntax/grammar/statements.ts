import { blockKeywords, kindsKeywords } from '../../../language/contract/block-kind.ts';
import * as t from '../tokens/vocabulary.ts';
import { BlockGrammar } from './blocks.ts';
import type { GrammarParts, Rule } from './words.ts';

const k = t.keyword;

/** The statements other than CREATE of a block (docs/language.md#the-language), and the entry rules of the parser. */
export class Grammar extends BlockGrammar {
  constructor(validate: boolean, parts?: Partial<GrammarParts>) {
    super(validate, parts);
    this.performSelfAnalysis();
  }

  /** statement := create | drop | apply | execute | inspect | describe | validate | explain | export | advance | query */
  readonly statement: Rule = this.RULE('statement', () => {
    this.OR([
      { ALT: () => this.SUBRULE(this.create) },
      { ALT: () => this.SUBRULE(this.drop) },
      { ALT: () => this.SUBRULE(this.apply) },
      { ALT: () => this.SUBRULE(this.execute) },
      { ALT: () => this.SUBRULE(this.inspect) },
      { ALT: () => this.SUBRULE(this.describe) },
      { ALT: () => this.SUBRULE(this.validate) },
      { ALT: () => this.SUBRULE(this.explain) },
      { ALT: () => this.SUBRULE(this.export) },
      { ALT: () => this.SUBRULE(this.advance) },
      { ALT: () => this.SUBRULE(this.query) },
    ]);
  });

  /** create := CREATE [ OR REPLACE ] ( block | table )        (a table never with OR REPLACE: `statement-head.ts`) */
  readonly create: Rule = this.RULE('create', () => {
    this.CONSUME(k.CREATE);
    this.OPTION(() => {
      this.CONSUME(k.OR);
      this.CONSUME(k.REPLACE);
    });
    this.OR([...this.blockRules, this.table].map((rule) => ({ ALT: () => this.SUBRULE(rule) })));
  });

  /** table := TABLE name [ nameList ] AS query */
  readonly table: Rule = this.RULE('table', () => {
    this.CONSUME(k.TABLE);
    this.SUBRULE(this.name);
    this.OPTION(() => this.SUBRULE(this.nameList));
    this.CONSUME(k.AS);
    this.SUBRULE(this.query);
  });

  /** blockKind := the keyword of a kind (`language/contract/block-kind.ts`) */
  readonly blockKind: Rule = this.RULE('blockKind', () => {
    this.OR(blockKeywords.map((word) => ({ ALT: () => this.CONSUME(k[word]) })));
  });

  /** drop := DROP ( blockKind | TABLE ) name */
  readonly drop: Rule = this.RULE('drop', () => {
    this.CONSUME(k.DROP);
    this.OR([{ ALT: () => this.SUBRULE(this.blockKind) }, { ALT: () => this.CONSUME(k.TABLE) }]);
    this.SUBRULE(this.name);
  });

  /** apply := ( APPLY | USE ) TEMPLATE name WITH '(' templateArgument { ',' templateArgument } ')' */
  readonly apply: Rule = this.RULE('apply', () => {
    this.OR([{ ALT: () => this.CONSUME(k.APPLY) }, { ALT: () => this.CONSUME(k.USE) }]);
    this.CONSUME(k.TEMPLATE);
    this.SUBRULE(this.name);
    this.CONSUME(k.WITH);
    this.CONSUME(t.LParen);
    this.MANY_SEP({ SEP: t.Comma, DEF: () => this.SUBRULE(this.templateArgument) });
    this.CONSUME(t.RParen);
  });

  /** templateArgument := fieldName '=' ( literal | '(' [ commandField { ',' commandField } ] ')' ) */
  readonly templateArgument: Rule = this.RULE('templateArgument', () => {
    this.SUBRULE(this.fieldName);
    this.CONSUME(t.Equal);
    this.OR([{ ALT: () => this.SUBRULE(this.literal) }, { ALT: () => this.SUBRULE(this.fieldList) }]);
  });

  readonly fieldList: Rule = this.RULE('fieldList', () => {
    this.CONSUME(t.LParen);
    this.MANY_SEP({ SEP: t.Comma, DEF: () => this.SUBRULE(this.commandField) });
    this.CONSUME(t.RParen);
  });

  /** execute := EXECUTE name assignments [ WITH '(' [ executeOption { ',' executeOption } ] ')' ] */
  readonly execute: Rule = this.RULE('execute', () => {
    this.CONSUME(k.EXECUTE);
    this.SUBRULE(this.name);
    this.SUBRULE(this.assignments);
    this.OPTION(() => {
      this.CONSUME(k.WITH);
      this.CONSUME(t.LParen);
      this.MANY_SEP({ SEP: t.Comma, DEF: () => this.SUBRULE(this.executeOption) });
      this.CONSUME(t.RParen);
    });
  });

  /** executeOption := fieldName '=' expression */
  readonly executeOption: Rule = this.RULE('executeOption', () => {
    this.SUBRULE(this.fieldName);
    this.CONSUME(t.Equal);
    this.SUBRULE(this.expression);
  });

  /** inspect := INSPECT ( inspectDecision | inspectProjection | inspectReaction ) */
  readonly inspect: Rule = this.RULE('inspect', () => {
    this.CONSUME(k.INSPECT);
    this.OR([
      { ALT: () => this.SUBRULE(this.inspectDecision) },
      { ALT: () => this.SUBRULE(this.inspectProjection) },
      { ALT: () => this.SUBRULE(this.inspectReaction) },
    ]);
  });

  /** inspectDecision := DECISION name FROM relationName INTO relationName { inspectChoice | inspectOption } */
  readonly inspectDecision: Rule = this.RULE('inspectDecision', () => {
    this.CONSUME(k.DECISION);
    this.SUBRULE(this.name);
    this.CONSUME(k.FROM);
    this.SUBRULE(this.relationName, { LABEL: 'source' });
    this.CONSUME(k.INTO);
    this.SUBRULE2(this.relationName, { LABEL: 'target' });
    this.MANY(() =>
      this.OR([{ ALT: () => this.SUBRULE(this.inspectChoice) }, { ALT: () => this.SUBRULE(this.inspectOption) }]),
    );
  });

  /** inspectReaction := REACTION name FROM relationName INTO relationName { inspectChoice | inspectOption } */
  readonly inspectReaction: Rule = this.RULE('inspectReaction', () => {
    this.CONSUME(k.REACTION);
    this.SUBRULE(this.name);
    this.CONSUME(k.FROM);
    this.SUBRULE(this.relationName, { LABEL: 'source' });
    this.CONSUME(k.INTO);
    this.SUBRULE2(this.relationName, { LABEL: 'target' });
    this.MANY(() =>
      this.OR([{ ALT: () => this.SUBRULE(this.inspectChoice) }, { ALT: () => this.SUBRULE(this.inspectOption) }]),
    );
  });

  /** inspectOption := asOf | USING EVENTSTORE name | WITH SCHEMA [ FILE ] string            (SCHEMA and FILE are names elsewhere) */
  readonly inspectOption: Rule = this.RULE('inspectOption', () => {
    this.OR([
      { GATE: () => this.opensAsOf(), ALT: () => this.SUBRULE(this.asOf) },
      {
        ALT: () => {
          this.CONSUME(k.USING);
          this.CONSUME(k.EVENTSTORE);
          this.SUBRULE(this.name);
        },
      },
      {
        GATE: () => this.isWord(2, 'SCHEMA'),
        ALT: () => {
          this.CONSUME(k.WITH);
          this.CONSUME(t.Identifier, { LABEL: 'schema' });
          this.OPTION({
            GATE: () => this.isWord(1, 'FILE'),
            DEF: () => this.CONSUME2(t.Identifier, { LABEL: 'file' }),
          });
          this.CONSUME(t.StringToken);
        },
      },
    ]);
  });

  /** inspectProjection := PROJECTION name FROM relationName INTO relationName { inspectClause | inspectChoice | inspectOption } */
  readonly inspectProjection: Rule = this.RULE('inspectProjection', () => {
    this.CONSUME(k.PROJECTION);
    this.SUBRULE(this.name);
    this.CONSUME(k.FROM);
    this.SUBRULE(this.relationName, { LABEL: 'source' });
    this.CONSUME(k.INTO);
    this.SUBRULE2(this.relationName, { LABEL: 'target' });
    this.MANY(() =>
      this.OR([
        { ALT: () => this.SUBRULE(this.inspectClause) },
        { ALT: () => this.SUBRULE(this.inspectChoice) },
        { ALT: () => this.SUBRULE(this.inspectOption) },
      ]),
    );
  });

  /** inspectClause := OFFSET expression */
  readonly inspectClause: Rule = this.RULE('inspectClause', () => {
    this.CONSUME(k.OFFSET);
    this.SUBRULE(this.expression);
  });

  /** inspectChoice := ( WHERE | LIMIT ) expression */
  readonly inspectChoice: Rule = this.RULE('inspectChoice', () => {
    this.OR([{ ALT: () => this.CONSUME(k.WHERE) }, { ALT: () => this.CONSUME(k.LIMIT) }]);
    this.SUBRULE(this.expression);
  });

  /** describe := DESCRIBE ( ( blockKind | INSPECTION ) name | AGGREGATES | COMMANDS | … | INSPECTIONS | name ) */
  readonly describe: Rule = this.RULE('describe', () => {
    this.CONSUME(k.DESCRIBE);
    this.OR([
      {
        ALT: () => {
          this.OR2([{ ALT: () => this.SUBRULE(this.blockKind) }, { ALT: () => this.CONSUME(k.INSPECTION) }]);
          this.SUBRULE(this.name);
        },
      },
      { ALT: () => this.SUBRULE(this.describedKinds) },
      { ALT: () => this.SUBRULE2(this.name), IGNORE_AMBIGUITIES: true },
    ]);
  });

  /** describedKinds := such a keyword and S | INSPECTIONS */
  readonly describedKinds: Rule = this.RULE('describedKinds', () => {
    this.OR([...kindsKeywords, 'INSPECTIONS' as const].map((word) => ({ ALT: () => this.CONSUME(k[word]) })));
  });

  /** validate := VALIDATE registry */
  readonly validate: Rule = this.RULE('validate', () => {
    this.CONSUME(k.VALIDATE);
    this.SUBRULE(this.registry);
  });

  /** export := EXPORT registry [ asOf ] */
  readonly export: Rule = this.RULE('export', () => {
    this.CONSUME(k.EXPORT);
    this.SUBRULE(this.registry);
    this.OPTION(() => this.SUBRULE(this.asOf));
  });

  /** advance := ADVANCE CLOCK ( number dueUnit | TO TIMESTAMP string ) */
  readonly advance: Rule = this.RULE('advance', () => {
    this.CONSUME(k.ADVANCE);
    this.CONSUME(k.CLOCK);
    this.OR([
      {
        ALT: () => {
          this.CONSUME(t.NumberToken);
          this.SUBRULE(this.dueUnit);
        },
      },
      {
        ALT: () => {
          this.CONSUME(k.TO);
          this.CONSUME(k.TIMESTAMP);
          this.CONSUME(t.StringToken);
        },
      },
    ]);
  });

  /** registry := REGISTRY | REG | DEREG */
  readonly registry: Rule = this.RULE('registry', () => {
    this.OR([
      { ALT: () => this.CONSUME(k.REGISTRY) },
      { ALT: () => this.CONSUME(k.REG) },
      { ALT: () => this.CONSUME(k.DEREG) },
    ]);
  });

  /** explain := EXPLAIN ( DECISION name | PROJECTION name | REACTION name | query ) */
  readonly explain: Rule = this.RULE('explain', () => {
    this.CONSUME(k.EXPLAIN);
    this.OR([
      {
        ALT: () => {
          this.OR2([
            { ALT: () => this.CONSUME(k.DECISION) },
            { ALT: () => this.CONSUME(k.PROJECTION) },
            { ALT: () => this.CONSUME(k.REACTION) },
          ]);
          this.SUBRULE(this.name);
        },
      },
      { ALT: () => this.SUBRULE(this.query) },
    ]);
  });
}
