import { defined } from '../../../language/values/defined.ts';
import type {
  BlockStatement,
  CreateClaim,
  CreateEnum,
  CreateEventStore,
  CreateFunction,
  CreateReaction,
  CreateSubscription,
  CreateTemplate,
  Delivery,
  Due,
  DueUnit,
  Execution,
  FunctionParameter,
  StartPoint,
  StoreOption,
  StoreValue,
  StringLiteral,
  TemplateBody,
  TemplateParameter,
} from '../ast.ts';
import { dueUnits } from '../tokens/keywords.ts';
import { numberText, stringValue } from '../tokens/token-text.ts';
import * as t from '../tokens/vocabulary.ts';
import { DomainGrammar, type Created } from './domain-blocks.ts';
import { fillingStoreValue, fillingString } from './fillings.ts';
import { behind, type ReadToken, type Rule } from './words.ts';

const k = t.keyword;

/** The other blocks, and the list of all (docs/language.md#blocks). */
export abstract class BlockGrammar extends DomainGrammar {
  /** eventStore := EVENTSTORE name WITH '(' storeOption { ',' storeOption } ')' */
  readonly eventStore = this.RULE('eventStore', (): Created<CreateEventStore> => {
    this.CONSUME(k.EVENTSTORE);
    const name = this.SUBRULE(this.name);
    this.CONSUME(k.WITH);
    const options = this.parenthesised(() => this.listOrNone(() => this.SUBRULE(this.storeOption)));
    return { kind: 'CreateEventStore', name, options };
  });

  /** storeOption := word { '.' word } '=' storeValue */
  readonly storeOption = this.RULE('storeOption', (): StoreOption => {
    const start = this.start();
    const words: string[] = [];
    this.AT_LEAST_ONE_SEP({ SEP: t.Dot, DEF: () => words.push(this.nameOf(this.CONSUME(t.Word)).text) });
    const place = this.spanFrom(start);
    this.CONSUME(t.Equal);
    const value = this.SUBRULE(this.storeValue);
    const key = { kind: 'Name', span: place, text: words.join('.'), quoted: false } as const;
    return { kind: 'StoreOption', span: this.spanFrom(start), key, value };
  });

  /** storeValue := string | [ '-' | '+' ] number | TRUE | FALSE | ENV '(' string ')' | '(' string { ',' string } ')' | placeholder */
  readonly storeValue = this.RULE('storeValue', (): StoreValue =>
    this.OR<StoreValue>([
      { ALT: () => ({ type: 'string', text: stringValue(this.CONSUME(t.StringToken)) }) },
      {
        ALT: () => {
          const sign = this.OPTION(() => this.sign()) === '-' ? '-' : '';
          return { type: 'number', text: `${sign}${numberText(this.CONSUME(t.NumberToken))}` };
        },
      },
      { ALT: () => this.truth(this.CONSUME(k.TRUE)) },
      { ALT: () => this.truth(this.CONSUME(k.FALSE)) },
      {
        ALT: () => {
          this.CONSUME(k.ENV);
          const variable = this.parenthesised(() => stringValue(this.CONSUME2(t.StringToken)));
          return { type: 'env', variable };
        },
      },
      {
        ALT: () => {
          const items = this.parenthesised(() => this.list(() => stringValue(this.CONSUME3(t.StringToken))), 2);
          return { type: 'tuple', items };
        },
      },
      { ALT: () => this.storeValueFor(this.CONSUME(t.Placeholder)) },
    ]),
  );

  private truth({ tokenType }: ReadToken): StoreValue {
    return { type: 'boolean', value: tokenType === k.TRUE };
  }

  private storeValueFor(token: ReadToken): StoreValue {
    return fillingStoreValue(token, this.spanOf(token), this.context.report);
  }

  /** template := TEMPLATE name [ WITH ] '(' templateParameter { ',' templateParameter } ')' AS ( '(' body ')' | body [ END TEMPLATE ] ) */
  readonly template = this.RULE('template', (): Created<CreateTemplate> => {
    this.CONSUME(k.TEMPLATE);
    const name = this.SUBRULE(this.name);
    this.OPTION(() => this.CONSUME(k.WITH));
    const parameters = this.parenthesised(() => this.list(() => this.SUBRULE(this.templateParameter)));
    this.CONSUME(k.AS);
    const written = this.OR<Pick<CreateTemplate, 'form' | 'body'>>([
      {
        ALT: () => {
          const body = this.parenthesised(() => this.bodyAt(this.CONSUME(t.TemplateBodyToken)), 2);
          return { form: 'parentheses', body };
        },
      },
      {
        ALT: () => {
          const body = this.bodyAt(this.CONSUME2(t.TemplateBodyToken));
          this.OPTION2(() => {
            this.CONSUME(k.END);
            this.CONSUME2(k.TEMPLATE);
          });
          return { form: 'with', body };
        },
      },
    ]);
    return { kind: 'CreateTemplate', name, form: written.form, parameters, body: written.body };
  });

  private bodyAt({ body = { start: 0, end: 0 } }: ReadToken): TemplateBody {
    return { file: this.context.file, ...body };
  }

  /** templateParameter := fieldName [ typeName ] */
  readonly templateParameter = this.RULE('templateParameter', (): TemplateParameter => {
    const start = this.start();
    const name = this.SUBRULE(this.fieldName);
    const type = this.OPTION(() => this.SUBRULE(this.typeName));
    return this.node(start, { kind: 'TemplateParameter', name, type });
  });

  /** enum := ENUM name AS '(' string { ',' string } ')' */
  readonly enum = this.RULE('enum', (): Created<CreateEnum> => {
    this.CONSUME(k.ENUM);
    const name = this.SUBRULE(this.name);
    this.CONSUME(k.AS);
    const values = this.parenthesised(() => this.list(() => this.SUBRULE(this.enumValue)).flat());
    return { kind: 'CreateEnum', name, values };
  });

  /** claim := CLAIM name listType [ SENSITIVE ] [ FROM string { ',' string } ] */
  readonly claim = this.RULE('claim', (): Created<CreateClaim> => {
    this.CONSUME(k.CLAIM);
    const name = this.SUBRULE(this.name);
    const type = this.SUBRULE(this.listType);
    const sensitive = this.OPTION(() => this.CONSUME(k.SENSITIVE)) !== undefined;
    const path = this.OPTION2(() => {
      this.CONSUME(k.FROM);
      return this.list(() => this.SUBRULE(this.enumValue)).flat();
    });
    return { kind: 'CreateClaim', name, type, sensitive, path: path ?? [] };
  });

  /** enumValue := string | placeholder */
  readonly enumValue = this.RULE('enumValue', (): readonly StringLiteral[] =>
    this.OR<readonly StringLiteral[]>([
      { ALT: () => [this.stringOf(this.CONSUME(t.StringToken))] },
      { ALT: () => this.stringsFor(this.CONSUME(t.Placeholder)) },
    ]),
  );

  private stringsFor(token: ReadToken): readonly StringLiteral[] {
    return fillingString(token, this.spanOf(token), this.context.report);
  }

  /** function := FUNCTION name '(' [ functionParameter { ',' functionParameter } ] ')' RETURNS typeName AS expression */
  readonly function = this.RULE('function', (): Created<CreateFunction> => {
    this.CONSUME(k.FUNCTION);
    const name = this.SUBRULE(this.name);
    const parameters = this.parenthesised(() => this.listOrNone(() => this.SUBRULE(this.functionParameter)));
    this.CONSUME(k.RETURNS);
    const returns = this.SUBRULE(this.typeName);
    this.CONSUME(k.AS);
    return { kind: 'CreateFunction', name, parameters, returns, body: this.SUBRULE(this.expression) };
  });

  /** functionParameter := fieldName typeName */
  readonly functionParameter = this.RULE('functionParameter', (): FunctionParameter => {
    const start = this.start();
    const name = this.SUBRULE(this.fieldName);
    const type = this.SUBRULE(this.typeName);
    return { kind: 'FunctionParameter', span: this.spanFrom(start), name, type };
  });

  /** subscription := SUBSCRIPTION name [ startPoint ] AS query [ KEY expression ] [ delivery ] [ WITH '(' [ storeOption { ',' storeOption } ] ')' ] */
  readonly subscription = this.RULE('subscription', (): Created<CreateSubscription> => {
    this.CONSUME(k.SUBSCRIPTION);
    const name = this.SUBRULE(this.name);
    const from = this.OPTION(() => this.SUBRULE(this.startPoint));
    this.CONSUME(k.AS);
    const query = this.inner(this.SUBRULE(this.query));
    const key = this.OPTION2(() => behind(this.CONSUME(t.ending.KEY), this.SUBRULE(this.expression)));
    const delivery = this.OPTION3(() => this.SUBRULE(this.delivery));
    const options = this.OPTION4(() =>
      behind(
        this.CONSUME(k.WITH),
        this.parenthesised(() => this.listOrNone(() => this.SUBRULE(this.storeOption))),
      ),
    );
    return defined({ kind: 'CreateSubscription', name, from, query, key, delivery, options: options ?? [] });
  });

  /** startPoint := FROM ( START | NOW | POSITION number | TIMESTAMP string )                  (POSITION is a name elsewhere) */
  readonly startPoint = this.RULE('startPoint', (): StartPoint => {
    const start = this.start();
    this.CONSUME(k.FROM);
    const point = this.OR<Pick<StartPoint, 'at' | 'text'>>([
      this.word(k.START, { at: 'start', text: '' }),
      this.word(k.NOW, { at: 'now', text: '' }),
      {
        GATE: () => this.isWord(1, 'POSITION'),
        ALT: () =>
          behind(this.CONSUME(t.Identifier), { at: 'position', text: numberText(this.CONSUME(t.NumberToken)) }),
      },
      {
        ALT: () =>
          behind(this.CONSUME(k.TIMESTAMP), { at: 'timestamp', text: stringValue(this.CONSUME(t.StringToken)) }),
      },
    ]);
    return { kind: 'StartPoint', span: this.spanFrom(start), ...point };
  });

  /** delivery := DELIVER TO WEBHOOK secretValue [ SECRET secretValue { ',' secretValue } ] */
  readonly delivery = this.RULE('delivery', (): Delivery => {
    const start = this.start();
    this.CONSUME(t.ending.DELIVER);
    this.CONSUME(k.TO);
    this.CONSUME(k.WEBHOOK);
    const url = this.SUBRULE(this.secretValue);
    const secrets = this.OPTION(() =>
      behind(
        this.CONSUME(k.SECRET),
        this.list(() => this.SUBRULE2(this.secretValue)),
      ),
    );
    return { kind: 'Delivery', span: this.spanFrom(start), url, secrets: secrets ?? [] };
  });

  /** secretValue := string | ENV '(' string ')' | placeholder */
  readonly secretValue = this.RULE('secretValue', (): StoreValue =>
    this.OR<StoreValue>([
      { ALT: () => ({ type: 'string', text: stringValue(this.CONSUME(t.StringToken)) }) },
      {
        ALT: () => {
          this.CONSUME(k.ENV);
          const variable = this.parenthesised(() => stringValue(this.CONSUME2(t.StringToken)));
          return { type: 'env', variable };
        },
      },
      { ALT: () => this.storeValueFor(this.CONSUME(t.Placeholder)) },
    ]),
  );

  /**
   * reaction := REACTION name [ startPoint ] ON EVENT name { ',' name } [ OF name ] [ STATE AS query ]
   * execution { UNION ALL execution }
   */
  readonly reaction = this.RULE('reaction', (): Created<CreateReaction> => {
    this.CONSUME(k.REACTION);
    const name = this.SUBRULE(this.name);
    const from = this.OPTION(() => this.SUBRULE(this.startPoint));
    this.CONSUME(k.ON);
    this.CONSUME(k.EVENT);
    const events = this.list(() => this.SUBRULE2(this.name));
    const aggregate = this.OPTION2(() => behind(this.CONSUME(k.OF), this.SUBRULE3(this.name)));
    const state = this.OPTION3(() =>
      behind(this.CONSUME(k.STATE), this.CONSUME(k.AS), this.inner(this.SUBRULE(this.query))),
    );
    const executions = [this.SUBRULE(this.execution)];
    this.MANY(() => {
      this.CONSUME(k.UNION);
      this.CONSUME(k.ALL);
      executions.push(this.SUBRULE2(this.execution));
    });
    return defined({ kind: 'CreateReaction', name, from, events, aggregate, state, executions });
  });

  /** execution := [ BRANCH name ] EXECUTE name assignments [ due ] [ UNLESS EVENT name { ',' name } ] [ WHERE expression ] */
  readonly execution = this.RULE('execution', (): Execution => {
    const start = this.start();
    const label = this.OPTION(() => behind(this.CONSUME(k.BRANCH), this.SUBRULE(this.name)));
    this.CONSUME(t.ending.EXECUTE);
    const command = this.SUBRULE2(this.name);
    const assignments = this.SUBRULE(this.assignments);
    const due = this.OPTION2(() => this.SUBRULE(this.due));
    const unless = this.OPTION3(() =>
      behind(
        this.CONSUME(k.UNLESS),
        this.CONSUME(k.EVENT),
        this.list(() => this.SUBRULE3(this.name)),
      ),
    );
    const guard = this.OPTION4(() => behind(this.CONSUME(k.WHERE), this.SUBRULE(this.expression)));
    return this.node(start, { kind: 'Execution', label, command, assignments, due, unless: unless ?? [], guard });
  });

  /** due := AFTER expression [ unit ] | AT expression */
  readonly due = this.RULE('due', (): Due => {
    const start = this.start();
    const due = this.OR<Pick<Due, 'form' | 'value' | 'unit'>>([
      {
        ALT: () => {
          this.CONSUME(k.AFTER);
          const value = this.SUBRULE(this.expression);
          const unit = this.OPTION(() => this.SUBRULE(this.dueUnit));
          return defined({ form: 'AFTER', value, unit });
        },
      },
      { ALT: () => behind(this.CONSUME(k.AT), { form: 'AT', value: this.SUBRULE2(this.expression) }) },
    ]);
    return { kind: 'Due', span: this.spanFrom(start), ...due };
  });

  /** dueUnit := SECOND | SECONDS | MINUTE | … | WEEKS */
  readonly dueUnit = this.RULE('dueUnit', (): DueUnit => this.oneOf(dueUnits));

  /** The rules of the kinds, in any order. */
  readonly blockRules: readonly Rule<Created<BlockStatement>>[] = [
    this.aggregate,
    this.command,
    this.event,
    this.decision,
    this.projection,
    this.eventStore,
    this.template,
    this.enum,
    this.claim,
    this.function,
    this.subscription,
    this.reaction,
  ];
}
