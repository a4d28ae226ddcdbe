import * as t from '../tokens/vocabulary.ts';
import type { Rule } from './words.ts';
import { QueryGrammar } from './queries.ts';

const k = t.keyword;

/** The blocks of a domain: aggregates, commands, events, decisions and projections (docs/language.md#blocks). */
export abstract class DomainGrammar extends QueryGrammar {
  /** aggregate := AGGREGATE name [ '(' [ aggregateField { ',' aggregateField } ] ')' ] */
  readonly aggregate: Rule = this.RULE('aggregate', () => {
    this.CONSUME(k.AGGREGATE);
    this.SUBRULE(this.name);
    this.OPTION(() => {
      this.CONSUME(t.LParen);
      this.MANY_SEP({ SEP: t.Comma, DEF: () => this.SUBRULE(this.aggregateField) });
      this.CONSUME(t.RParen);
    });
  });

  /** aggregateField := placeholder | fieldName typeName { KEY | DEFAULT literal | AS expression } */
  readonly aggregateField: Rule = this.RULE('aggregateField', () => {
    this.OR([
      { GATE: () => this.isListPlaceholder(), ALT: () => this.CONSUME(t.Placeholder) },
      {
        ALT: () => {
          this.SUBRULE(this.fieldName);
          this.SUBRULE(this.typeName);
          this.MANY(() =>
            this.OR2([
              { ALT: () => this.CONSUME(k.KEY) },
              {
                ALT: () => {
                  this.CONSUME(k.DEFAULT);
                  this.SUBRULE(this.literal);
                },
              },
              {
                ALT: () => {
                  this.CONSUME(k.AS);
                  this.SUBRULE(this.expression);
                },
              },
            ]),
          );
        },
        IGNORE_AMBIGUITIES: true,
      },
    ]);
  });

  /** A placeholder for a whole list of fields or assignments. */
  protected isListPlaceholder(): boolean {
    const next = this.LA(2).tokenType;
    return this.LA(1).tokenType === t.Placeholder && (next === t.Comma || next === t.RParen);
  }

  /** command := COMMAND name '(' commandItem { ',' commandItem } ')' */
  readonly command: Rule = this.RULE('command', () => {
    this.CONSUME(k.COMMAND);
    this.SUBRULE(this.name);
    this.CONSUME(t.LParen);
    this.AT_LEAST_ONE_SEP({ SEP: t.Comma, DEF: () => this.SUBRULE(this.commandItem) });
    this.CONSUME(t.RParen);
  });

  /** commandItem := check | commandField */
  readonly commandItem: Rule = this.RULE('commandItem', () => {
    this.OR([
      { ALT: () => this.SUBRULE(this.check) },
      { ALT: () => this.SUBRULE(this.commandField), IGNORE_AMBIGUITIES: true },
    ]);
  });

  /** check := CHECK '(' expression ')' [ MESSAGE string ] */
  readonly check: Rule = this.RULE('check', () => {
    this.CONSUME(k.CHECK);
    this.CONSUME(t.LParen);
    this.SUBRULE(this.expression);
    this.CONSUME(t.RParen);
    this.OPTION(() => {
      this.CONSUME(k.MESSAGE);
      this.CONSUME(t.StringToken);
    });
  });

  /** commandField := placeholder | fieldName typeName { KEY | SENSITIVE | NULL | DEFAULT literal | check } */
  readonly commandField: Rule = this.RULE('commandField', () => {
    this.OR([
      { GATE: () => this.isListPlaceholder(), ALT: () => this.CONSUME(t.Placeholder) },
      {
        ALT: () => {
          this.SUBRULE(this.fieldName);
          this.SUBRULE(this.typeName);
          this.MANY(() =>
            this.OR2([
              { ALT: () => this.CONSUME(k.KEY) },
              { ALT: () => this.CONSUME(k.SENSITIVE) },
              { ALT: () => this.CONSUME(k.NULL) },
              {
                ALT: () => {
                  this.CONSUME(k.DEFAULT);
                  this.SUBRULE(this.literal);
                },
              },
              { ALT: () => this.SUBRULE(this.check) },
            ]),
          );
        },
        IGNORE_AMBIGUITIES: true,
      },
    ]);
  });

  /** event := EVENT name '(' [ eventField { ',' eventField } ] ')' { upcast } */
  readonly event: Rule = this.RULE('event', () => {
    this.CONSUME(k.EVENT);
    this.SUBRULE(this.name);
    this.CONSUME(t.LParen);
    this.MANY_SEP({ SEP: t.Comma, DEF: () => this.SUBRULE(this.eventField) });
    this.CONSUME(t.RParen);
    this.MANY(() => this.SUBRULE(this.upcast));
  });

  /** upcast := UPCAST FROM [ EVENT name ] '(' [ oldField { ',' oldField } ] ')' AS assignments */
  readonly upcast: Rule = this.RULE('upcast', () => {
    this.CONSUME(k.UPCAST);
    this.CONSUME(k.FROM);
    this.OPTION(() => {
      this.CONSUME(k.EVENT);
      this.SUBRULE(this.name);
    });
    this.CONSUME(t.LParen);
    this.MANY_SEP({ SEP: t.Comma, DEF: () => this.SUBRULE(this.oldField) });
    this.CONSUME(t.RParen);
    this.CONSUME(k.AS);
    this.SUBRULE(this.assignments);
  });

  /** oldField := placeholder | fieldName typeName */
  readonly oldField: Rule = this.RULE('oldField', () => {
    this.OR([
      { GATE: () => this.isListPlaceholder(), ALT: () => this.CONSUME(t.Placeholder) },
      {
        ALT: () => {
          this.SUBRULE(this.fieldName);
          this.SUBRULE(this.typeName);
        },
        IGNORE_AMBIGUITIES: true,
      },
    ]);
  });

  /** eventField := placeholder | fieldName typeName { SENSITIVE | VOLATILE | TAG } */
  readonly eventField: Rule = this.RULE('eventField', () => {
    this.OR([
      { GATE: () => this.isListPlaceholder(), ALT: () => this.CONSUME(t.Placeholder) },
      {
        ALT: () => {
          this.SUBRULE(this.fieldName);
          this.SUBRULE(this.typeName);
          this.MANY(() =>
            this.OR2([
              { ALT: () => this.CONSUME(k.SENSITIVE) },
              { ALT: () => this.CONSUME(k.VOLATILE) },
              { ALT: () => this.CONSUME(k.TAG) },
            ]),
          );
        },
        IGNORE_AMBIGUITIES: true,
      },
    ]);
  });

  /** decision := DECISION name FOR name ON COMMAND name [ STATE AS query ] [ EMIT ] AS branch { UNION ALL branch } */
  readonly decision: Rule = this.RULE('decision', () => {
    this.CONSUME(k.DECISION);
    this.SUBRULE(this.name);
    this.CONSUME(k.FOR);
    this.SUBRULE2(this.name, { LABEL: 'aggregate' });
    this.CONSUME(k.ON);
    this.CONSUME(k.COMMAND);
    this.SUBRULE3(this.name, { LABEL: 'command' });
    this.OPTION(() => {
      this.CONSUME(k.STATE);
      this.CONSUME(k.AS);
      this.SUBRULE(this.query);
    });
    this.OPTION2(() => this.CONSUME(k.EMIT));
    this.CONSUME2(k.AS);
    this.SUBRULE(this.branch);
    this.MANY(() => {
      this.CONSUME(k.UNION);
      this.CONSUME(k.ALL);
      this.SUBRULE2(this.branch);
    });
  });

  /** branch := [ BRANCH name ] emit { ',' emit } [ WHERE expression ] */
  readonly branch: Rule = this.RULE('branch', () => {
    this.OPTION(() => {
      this.CONSUME(k.BRANCH);
      this.SUBRULE(this.name);
    });
    this.AT_LEAST_ONE_SEP({ SEP: t.Comma, DEF: () => this.SUBRULE(this.emit) });
    this.OPTION2(() => {
      this.CONSUME(k.WHERE);
      this.SUBRULE(this.expression);
    });
  });

  /** emit := SELECT EVENT name assignments [ TO name '(' expression ')' ] */
  readonly emit: Rule = this.RULE('emit', () => {
    this.CONSUME(k.SELECT);
    this.CONSUME(k.EVENT);
    this.SUBRULE(this.name);
    this.SUBRULE(this.assignments);
    this.OPTION(() => this.SUBRULE(this.emitTarget));
  });

  readonly emitTarget: Rule = this.RULE('emitTarget', () => {
    this.CONSUME(k.TO);
    this.SUBRULE(this.name);
    this.CONSUME(t.LParen);
    this.SUBRULE(this.expression);
    this.CONSUME(t.RParen);
  });

  /** assignments := '(' [ assignment { ',' assignment } ] ')' */
  readonly assignments: Rule = this.RULE('assignments', () => {
    this.CONSUME(t.LParen);
    this.MANY_SEP({ SEP: t.Comma, DEF: () => this.SUBRULE(this.assignment) });
    this.CONSUME(t.RParen);
  });

  /** assignment := placeholder | fieldName ':=' expression */
  readonly assignment: Rule = this.RULE('assignment', () => {
    this.OR([
      { GATE: () => this.isListPlaceholder(), ALT: () => this.CONSUME(t.Placeholder) },
      {
        ALT: () => {
          this.SUBRULE(this.fieldName);
          this.CONSUME(t.Assign);
          this.SUBRULE(this.expression);
        },
        IGNORE_AMBIGUITIES: true,
      },
    ]);
  });

  /** projection := PROJECTION name AS query */
  readonly projection: Rule = this.RULE('projection', () => {
    this.CONSUME(k.PROJECTION);
    this.SUBRULE(this.name);
    this.CONSUME(k.AS);
    this.SUBRULE(this.query);
  });
}
