import { dueUnits } from '../tokens/keywords.ts';
import * as t from '../tokens/vocabulary.ts';
import { DomainGrammar } from './domain-blocks.ts';
import type { Rule } from './words.ts';

const k = t.keyword;

/** The other blocks, and the list of all (docs/language.md#blocks). */
export abstract class BlockGrammar extends DomainGrammar {
  /** eventStore := EVENTSTORE name WITH '(' storeOption { ',' storeOption } ')' */
  readonly eventStore: Rule = this.RULE('eventStore', () => {
    this.CONSUME(k.EVENTSTORE);
    this.SUBRULE(this.name);
    this.CONSUME(k.WITH);
    this.CONSUME(t.LParen);
    this.MANY_SEP({ SEP: t.Comma, DEF: () => this.SUBRULE(this.storeOption) });
    this.CONSUME(t.RParen);
  });

  /** storeOption := word { '.' word } '=' storeValue */
  readonly storeOption: Rule = this.RULE('storeOption', () => {
    this.AT_LEAST_ONE_SEP({ SEP: t.Dot, DEF: () => this.CONSUME(t.Word) });
    this.CONSUME(t.Equal);
    this.SUBRULE(this.storeValue);
  });

  /** storeValue := string | [ '-' | '+' ] number | TRUE | FALSE | ENV '(' string ')' | '(' string { ',' string } ')' | placeholder */
  readonly storeValue: Rule = this.RULE('storeValue', () => {
    this.OR([
      { ALT: () => this.CONSUME(t.StringToken) },
      {
        ALT: () => {
          this.OPTION(() => this.OR2([{ ALT: () => this.CONSUME(t.Minus) }, { ALT: () => this.CONSUME(t.Plus) }]));
          this.CONSUME(t.NumberToken);
        },
      },
      { ALT: () => this.CONSUME(k.TRUE) },
      { ALT: () => this.CONSUME(k.FALSE) },
      {
        ALT: () => {
          this.CONSUME(k.ENV);
          this.CONSUME(t.LParen);
          this.CONSUME2(t.StringToken);
          this.CONSUME(t.RParen);
        },
      },
      {
        ALT: () => {
          this.CONSUME2(t.LParen);
          this.AT_LEAST_ONE_SEP({ SEP: t.Comma, DEF: () => this.CONSUME3(t.StringToken, { LABEL: 'item' }) });
          this.CONSUME2(t.RParen);
        },
      },
      { ALT: () => this.CONSUME(t.Placeholder) },
    ]);
  });

  /** template := TEMPLATE name [ WITH ] '(' templateParameter { ',' templateParameter } ')' AS ( '(' body ')' | body [ END TEMPLATE ] ) */
  readonly template: Rule = this.RULE('template', () => {
    this.CONSUME(k.TEMPLATE);
    this.SUBRULE(this.name);
    this.OPTION(() => this.CONSUME(k.WITH));
    this.CONSUME(t.LParen);
    this.AT_LEAST_ONE_SEP({ SEP: t.Comma, DEF: () => this.SUBRULE(this.templateParameter) });
    this.CONSUME(t.RParen);
    this.CONSUME(k.AS);
    this.OR([
      {
        ALT: () => {
          this.CONSUME2(t.LParen, { LABEL: 'open' });
          this.CONSUME(t.TemplateBodyToken);
          this.CONSUME2(t.RParen);
        },
      },
      {
        ALT: () => {
          this.CONSUME2(t.TemplateBodyToken);
          this.OPTION2(() => {
            this.CONSUME(k.END);
            this.CONSUME2(k.TEMPLATE);
          });
        },
      },
    ]);
  });

  /** templateParameter := fieldName [ typeName ] */
  readonly templateParameter: Rule = this.RULE('templateParameter', () => {
    this.SUBRULE(this.fieldName);
    this.OPTION(() => this.SUBRULE(this.typeName));
  });

  /** enum := ENUM name AS '(' string { ',' string } ')' */
  readonly enum: Rule = this.RULE('enum', () => {
    this.CONSUME(k.ENUM);
    this.SUBRULE(this.name);
    this.CONSUME(k.AS);
    this.CONSUME(t.LParen);
    this.AT_LEAST_ONE_SEP({ SEP: t.Comma, DEF: () => this.SUBRULE(this.enumValue) });
    this.CONSUME(t.RParen);
  });

  /** enumValue := string | placeholder */
  readonly enumValue: Rule = this.RULE('enumValue', () => {
    this.OR([{ ALT: () => this.CONSUME(t.StringToken) }, { ALT: () => this.CONSUME(t.Placeholder) }]);
  });

  /** function := FUNCTION name '(' [ functionParameter { ',' functionParameter } ] ')' RETURNS typeName AS expression */
  readonly function: Rule = this.RULE('function', () => {
    this.CONSUME(k.FUNCTION);
    this.SUBRULE(this.name);
    this.CONSUME(t.LParen);
    this.MANY_SEP({ SEP: t.Comma, DEF: () => this.SUBRULE(this.functionParameter) });
    this.CONSUME(t.RParen);
    this.CONSUME(k.RETURNS);
    this.SUBRULE(this.typeName);
    this.CONSUME(k.AS);
    this.SUBRULE(this.expression);
  });

  /** functionParameter := fieldName typeName */
  readonly functionParameter: Rule = this.RULE('functionParameter', () => {
    this.SUBRULE(this.fieldName);
    this.SUBRULE(this.typeName);
  });

  /** subscription := SUBSCRIPTION name [ startPoint ] AS query [ KEY expression ] [ delivery ] [ WITH '(' [ storeOption { ',' storeOption } ] ')' ] */
  readonly subscription: Rule = this.RULE('subscription', () => {
    this.CONSUME(k.SUBSCRIPTION);
    this.SUBRULE(this.name);
    this.OPTION(() => this.SUBRULE(this.startPoint));
    this.CONSUME(k.AS);
    this.SUBRULE(this.query);
    this.OPTION2(() => {
      this.CONSUME(t.ending.KEY);
      this.SUBRULE(this.expression);
    });
    this.OPTION3(() => this.SUBRULE(this.delivery));
    this.OPTION4(() => {
      this.CONSUME(k.WITH);
      this.CONSUME(t.LParen);
      this.MANY_SEP({ SEP: t.Comma, DEF: () => this.SUBRULE(this.storeOption) });
      this.CONSUME(t.RParen);
    });
  });

  /** startPoint := FROM ( START | NOW | POSITION number | TIMESTAMP string )                  (POSITION is a name elsewhere) */
  readonly startPoint: Rule = this.RULE('startPoint', () => {
    this.CONSUME(k.FROM);
    this.OR([
      { ALT: () => this.CONSUME(k.START) },
      { ALT: () => this.CONSUME(k.NOW) },
      {
        GATE: () => this.isWord(1, 'POSITION'),
        ALT: () => {
          this.CONSUME(t.Identifier, { LABEL: 'position' });
          this.CONSUME(t.NumberToken);
        },
      },
      {
        ALT: () => {
          this.CONSUME(k.TIMESTAMP);
          this.CONSUME(t.StringToken);
        },
      },
    ]);
  });

  /** delivery := DELIVER TO WEBHOOK secretValue [ SECRET secretValue { ',' secretValue } ] */
  readonly delivery: Rule = this.RULE('delivery', () => {
    this.CONSUME(t.ending.DELIVER);
    this.CONSUME(k.TO);
    this.CONSUME(k.WEBHOOK);
    this.SUBRULE(this.secretValue, { LABEL: 'url' });
    this.OPTION(() => {
      this.CONSUME(k.SECRET);
      this.AT_LEAST_ONE_SEP({ SEP: t.Comma, DEF: () => this.SUBRULE2(this.secretValue, { LABEL: 'secret' }) });
    });
  });

  /** secretValue := string | ENV '(' string ')' | placeholder */
  readonly secretValue: Rule = this.RULE('secretValue', () => {
    this.OR([
      { ALT: () => this.CONSUME(t.StringToken) },
      {
        ALT: () => {
          this.CONSUME(k.ENV);
          this.CONSUME(t.LParen);
          this.CONSUME2(t.StringToken);
          this.CONSUME(t.RParen);
        },
      },
      { ALT: () => this.CONSUME(t.Placeholder) },
    ]);
  });

  /**
   * reaction := REACTION name [ startPoint ] ON EVENT name { ',' name } [ OF name ] [ STATE AS query ]
   * execution { UNION ALL execution }
   */
  readonly reaction: Rule = this.RULE('reaction', () => {
    this.CONSUME(k.REACTION);
    this.SUBRULE(this.name);
    this.OPTION(() => this.SUBRULE(this.startPoint));
    this.CONSUME(k.ON);
    this.CONSUME(k.EVENT);
    this.AT_LEAST_ONE_SEP({ SEP: t.Comma, DEF: () => this.SUBRULE2(this.name, { LABEL: 'event' }) });
    this.OPTION2(() => {
      this.CONSUME(k.OF);
      this.SUBRULE3(this.name, { LABEL: 'aggregate' });
    });
    this.OPTION3(() => {
      this.CONSUME(k.STATE);
      this.CONSUME(k.AS);
      this.SUBRULE(this.query);
    });
    this.SUBRULE(this.execution);
    this.MANY(() => {
      this.CONSUME(k.UNION);
      this.CONSUME(k.ALL);
      this.SUBRULE2(this.execution);
    });
  });

  /** execution := [ BRANCH name ] EXECUTE name assignments [ due ] [ UNLESS EVENT name { ',' name } ] [ WHERE expression ] */
  readonly execution: Rule = this.RULE('execution', () => {
    this.OPTION(() => {
      this.CONSUME(k.BRANCH);
      this.SUBRULE(this.name, { LABEL: 'label' });
    });
    this.CONSUME(t.ending.EXECUTE);
    this.SUBRULE2(this.name, { LABEL: 'command' });
    this.SUBRULE(this.assignments);
    this.OPTION2(() => this.SUBRULE(this.due));
    this.OPTION3(() => {
      this.CONSUME(k.UNLESS);
      this.CONSUME(k.EVENT);
      this.AT_LEAST_ONE_SEP({ SEP: t.Comma, DEF: () => this.SUBRULE3(this.name, { LABEL: 'unless' }) });
    });
    this.OPTION4(() => {
      this.CONSUME(k.WHERE);
      this.SUBRULE(this.expression);
    });
  });

  /** due := AFTER expression [ unit ] | AT expression */
  readonly due: Rule = this.RULE('due', () => {
    this.OR([
      {
        ALT: () => {
          this.CONSUME(k.AFTER);
          this.SUBRULE(this.expression);
          this.OPTION(() => this.SUBRULE(this.dueUnit));
        },
      },
      {
        ALT: () => {
          this.CONSUME(k.AT);
          this.SUBRULE2(this.expression);
        },
      },
    ]);
  });

  /** dueUnit := SECOND | SECONDS | MINUTE | … | WEEKS */
  readonly dueUnit: Rule = this.RULE('dueUnit', () => {
    this.OR(dueUnits.map((word) => ({ ALT: () => this.CONSUME(k[word]) })));
  });

  /** The rules of the kinds, in any order. */
  readonly blockRules: readonly Rule[] = [
    this.aggregate,
    this.command,
    this.event,
    this.decision,
    this.projection,
    this.eventStore,
    this.template,
    this.enum,
    this.function,
    this.subscription,
    this.reaction,
  ];
}
