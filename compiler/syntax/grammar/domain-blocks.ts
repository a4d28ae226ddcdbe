import { defined } from '../../../language/values/defined.ts';
import type {
  AggregateField,
  Allow,
  Assignment,
  Branch,
  Check,
  CommandField,
  CreateAggregate,
  CreateCommand,
  CreateDecision,
  CreateEvent,
  CreateProjection,
  Emit,
  EmitTarget,
  EventField,
  Expression,
  OldField,
  RowClauseNodes,
  StringLiteral,
  Upcast,
  Visible,
} from '../ast.ts';
import * as t from '../tokens/vocabulary.ts';
import { asAggregateField, asEventField, fillingAssignments, fillingFields } from './fillings.ts';
import { QueryGrammar } from './queries.ts';
import { behind, type Clause, type Literal, type ReadToken } from './words.ts';

const k = t.keyword;

/** A block without the parts that its CREATE gives it. */
export type Created<B> = B extends unknown ? Omit<B, 'span' | 'orReplace' | 'doc' | 'stamp'> : never;

type AggregateMarks = Partial<Pick<AggregateField, 'key' | 'default' | 'fold'>>;
type CommandMarks = Partial<Pick<CommandField, 'key' | 'sensitive' | 'nullable' | 'default'>>;
type EventMarks = Partial<Pick<EventField, 'sensitive' | 'volatile' | 'tag'>>;

/** The blocks of a domain: aggregates, commands, events, decisions and projections (docs/language.md#blocks). */
export abstract class DomainGrammar extends QueryGrammar {
  /** aggregate := AGGREGATE name [ '(' [ aggregateField { ',' aggregateField } ] ')' ] rowClauses */
  readonly aggregate = this.RULE('aggregate', (): Created<CreateAggregate> => {
    this.CONSUME(k.AGGREGATE);
    const name = this.SUBRULE(this.name);
    const fields = this.OPTION(() =>
      this.parenthesised(() => this.listOrNone(() => this.SUBRULE(this.aggregateField))).flat(),
    );
    return { kind: 'CreateAggregate', name, fields: fields ?? [], ...this.SUBRULE(this.rowClauses) };
  });

  /** rowClauses := [ VISIBLE ( WHERE expression | TO ALL ) ] [ CLEAR WHERE expression ] */
  readonly rowClauses = this.RULE('rowClauses', (): RowClauseNodes => {
    const visible = this.OPTION(() => this.SUBRULE(this.visible));
    const clear = this.OPTION2(() => {
      this.CONSUME(k.CLEAR);
      this.CONSUME(k.WHERE);
      return this.SUBRULE(this.expression);
    });
    return defined({ visible, clear });
  });

  /** visible := VISIBLE ( WHERE expression | TO ALL ) */
  readonly visible = this.RULE('visible', (): Visible => {
    const start = this.start();
    this.CONSUME(k.VISIBLE);
    const condition = this.OR<Expression | undefined>([
      { ALT: () => behind(this.CONSUME(k.WHERE), this.SUBRULE(this.expression)) },
      {
        ALT: () => {
          this.CONSUME(k.TO);
          this.CONSUME(k.ALL);
          return undefined;
        },
      },
    ]);
    return this.node(start, { kind: 'Visible', condition });
  });

  /** aggregateField := placeholder | fieldName typeName { KEY | DEFAULT literal | AS expression } */
  readonly aggregateField = this.RULE('aggregateField', (): readonly AggregateField[] => {
    const [start, doc] = [this.start(), this.doc()];
    return this.OR<readonly AggregateField[]>([
      { GATE: () => this.isListPlaceholder(), ALT: () => this.fieldsFor().map(asAggregateField) },
      {
        ALT: () => {
          const name = this.SUBRULE(this.fieldName);
          const type = this.SUBRULE(this.typeName);
          const marks: Clause<AggregateMarks>[] = [];
          this.MANY(() => {
            this.OR2([
              { ALT: () => marks.push(this.clause(this.CONSUME(k.KEY), { key: true })) },
              {
                ALT: () => {
                  const word = this.CONSUME(k.DEFAULT);
                  marks.push(this.clause(word, { default: this.nodeOf(this.SUBRULE(this.literal)) }));
                },
              },
              {
                ALT: () => {
                  const word = this.CONSUME(k.AS);
                  marks.push(this.clause(word, { fold: this.SUBRULE(this.expression) }));
                },
              },
            ]);
          });
          const span = this.spanFrom(start);
          return [
            {
              kind: 'AggregateField',
              span,
              name,
              type,
              ...doc,
              key: false,
              ...this.once(marks, ['key', 'default', 'fold']),
            },
          ];
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

  /** The fields that replace a placeholder. */
  private fieldsFor(): readonly CommandField[] {
    const token: ReadToken = this.CONSUME(t.Placeholder);
    return fillingFields(token, this.spanOf(token), this.context.report);
  }

  protected nodeOf(literal: Literal): Expression {
    return this.ACTION(() => literal.node ?? this.literalFor(literal.placeholder));
  }

  /** command := COMMAND name '(' commandItem { ',' commandItem } ')' [ allow ] */
  readonly command = this.RULE('command', (): Created<CreateCommand> => {
    this.CONSUME(k.COMMAND);
    const name = this.SUBRULE(this.name);
    const items = this.parenthesised(() => this.list(() => this.SUBRULE(this.commandItem)).flat());
    const fields = items.filter((item) => item.kind === 'CommandField');
    const checks = items.filter((item) => item.kind === 'Check');
    const allow = this.OPTION(() => this.SUBRULE(this.allow));
    return defined({ kind: 'CreateCommand', name, fields, checks, allow });
  });

  /** allow := ALLOW WHERE expression [ message ] */
  readonly allow = this.RULE('allow', (): Allow => {
    const start = this.start();
    this.CONSUME(k.ALLOW);
    this.CONSUME(k.WHERE);
    const condition = this.SUBRULE(this.expression);
    const message = this.OPTION(() => this.SUBRULE(this.message));
    return this.node(start, { kind: 'Allow', condition, message });
  });

  /** message := MESSAGE string */
  readonly message = this.RULE('message', (): StringLiteral => {
    this.CONSUME(k.MESSAGE);
    return this.stringOf(this.CONSUME(t.StringToken));
  });

  /** commandItem := check | commandField */
  readonly commandItem = this.RULE('commandItem', (): readonly (CommandField | Check)[] =>
    this.OR<readonly (CommandField | Check)[]>([
      { ALT: () => [this.SUBRULE(this.check)] },
      { ALT: () => this.SUBRULE(this.commandField), IGNORE_AMBIGUITIES: true },
    ]),
  );

  /** check := CHECK '(' expression ')' [ message ] */
  readonly check = this.RULE('check', (): Check => {
    const start = this.start();
    this.CONSUME(k.CHECK);
    const condition = this.parenthesised(() => this.SUBRULE(this.expression));
    const message = this.OPTION(() => this.SUBRULE(this.message));
    return this.node(start, { kind: 'Check', condition, message });
  });

  /** commandField := placeholder | fieldName typeName { KEY | SENSITIVE | NULL | DEFAULT commandDefault | check } */
  readonly commandField = this.RULE('commandField', (): readonly CommandField[] => {
    const [start, doc] = [this.start(), this.doc()];
    return this.OR<readonly CommandField[]>([
      { GATE: () => this.isListPlaceholder(), ALT: () => this.fieldsFor() },
      {
        ALT: () => {
          const name = this.SUBRULE(this.fieldName);
          const type = this.SUBRULE(this.typeName);
          const marks: Clause<CommandMarks>[] = [];
          const checks: Check[] = [];
          this.MANY(() => {
            this.OR2([
              { ALT: () => marks.push(this.clause(this.CONSUME(k.KEY), { key: true })) },
              { ALT: () => marks.push(this.clause(this.CONSUME(k.SENSITIVE), { sensitive: true })) },
              { ALT: () => marks.push(this.clause(this.CONSUME(k.NULL), { nullable: true })) },
              {
                ALT: () => {
                  const word = this.CONSUME(k.DEFAULT);
                  marks.push(this.clause(word, { default: this.SUBRULE(this.commandDefault) }));
                },
              },
              { ALT: () => checks.push(this.SUBRULE(this.check)) },
            ]);
          });
          const plain = { key: false, sensitive: false, nullable: false };
          const span = this.spanFrom(start);
          return [
            {
              kind: 'CommandField',
              span,
              name,
              type,
              ...doc,
              ...plain,
              ...this.once(marks, ['key', 'sensitive', 'nullable', 'default']),
              checks,
            },
          ];
        },
        IGNORE_AMBIGUITIES: true,
      },
    ]);
  });

  /** commandDefault := literal | named                                (CURRENT_USER or CLAIM(name), which the analyser checks) */
  readonly commandDefault = this.RULE('commandDefault', (): Expression =>
    this.OR<Expression>([
      { ALT: () => this.nodeOf(this.SUBRULE(this.literal)) },
      { ALT: () => this.SUBRULE(this.named), IGNORE_AMBIGUITIES: true },
    ]),
  );

  /** event := EVENT name '(' [ eventField { ',' eventField } ] ')' { upcast } */
  readonly event = this.RULE('event', (): Created<CreateEvent> => {
    this.CONSUME(k.EVENT);
    const name = this.SUBRULE(this.name);
    const fields = this.parenthesised(() => this.listOrNone(() => this.SUBRULE(this.eventField)).flat());
    const upcasts: Upcast[] = [];
    this.MANY(() => upcasts.push(this.SUBRULE(this.upcast)));
    return { kind: 'CreateEvent', name, fields, upcasts };
  });

  /** upcast := UPCAST FROM [ EVENT name ] '(' [ oldField { ',' oldField } ] ')' AS assignments */
  readonly upcast = this.RULE('upcast', (): Upcast => {
    const start = this.start();
    this.CONSUME(k.UPCAST);
    this.CONSUME(k.FROM);
    const event = this.OPTION(() => behind(this.CONSUME(k.EVENT), this.SUBRULE(this.name)));
    const fields = this.parenthesised(() => this.listOrNone(() => this.SUBRULE(this.oldField)).flat());
    this.CONSUME(k.AS);
    const assignments = this.SUBRULE(this.assignments);
    return this.node(start, { kind: 'Upcast', event, fields, assignments });
  });

  /** oldField := placeholder | fieldName typeName */
  readonly oldField = this.RULE('oldField', (): readonly OldField[] => {
    const start = this.start();
    return this.OR<readonly OldField[]>([
      {
        GATE: () => this.isListPlaceholder(),
        ALT: () => this.fieldsFor().map(({ span, name, type }) => ({ kind: 'OldField', span, name, type })),
      },
      {
        ALT: () => {
          const name = this.SUBRULE(this.fieldName);
          const type = this.SUBRULE(this.typeName);
          return [{ kind: 'OldField', span: this.spanFrom(start), name, type }];
        },
        IGNORE_AMBIGUITIES: true,
      },
    ]);
  });

  /** eventField := placeholder | fieldName typeName { SENSITIVE | VOLATILE | TAG } */
  readonly eventField = this.RULE('eventField', (): readonly EventField[] => {
    const [start, doc] = [this.start(), this.doc()];
    return this.OR<readonly EventField[]>([
      { GATE: () => this.isListPlaceholder(), ALT: () => this.fieldsFor().map(asEventField) },
      {
        ALT: () => {
          const name = this.SUBRULE(this.fieldName);
          const type = this.SUBRULE(this.typeName);
          const marks: Clause<EventMarks>[] = [];
          this.MANY(() => {
            this.OR2([
              { ALT: () => marks.push(this.clause(this.CONSUME(k.SENSITIVE), { sensitive: true })) },
              { ALT: () => marks.push(this.clause(this.CONSUME(k.VOLATILE), { volatile: true })) },
              { ALT: () => marks.push(this.clause(this.CONSUME(k.TAG), { tag: true })) },
            ]);
          });
          const plain = { sensitive: false, volatile: false, tag: false };
          return [
            {
              kind: 'EventField',
              span: this.spanFrom(start),
              name,
              type,
              ...doc,
              ...plain,
              ...this.once(marks, ['sensitive', 'volatile', 'tag']),
            },
          ];
        },
        IGNORE_AMBIGUITIES: true,
      },
    ]);
  });

  /** decision := DECISION name FOR name ON COMMAND name [ STATE AS query ] [ EMIT ] AS branch { UNION ALL branch } */
  readonly decision = this.RULE('decision', (): Created<CreateDecision> => {
    this.CONSUME(k.DECISION);
    const name = this.SUBRULE(this.name);
    this.CONSUME(k.FOR);
    const aggregate = this.SUBRULE2(this.name);
    this.CONSUME(k.ON);
    this.CONSUME(k.COMMAND);
    const command = this.SUBRULE3(this.name);
    const state = this.OPTION(() =>
      behind(this.CONSUME(k.STATE), this.CONSUME(k.AS), this.inner(this.SUBRULE(this.query))),
    );
    this.OPTION2(() => this.CONSUME(k.EMIT));
    this.CONSUME2(k.AS);
    const branches = [this.SUBRULE(this.branch)];
    this.MANY(() => {
      this.CONSUME(k.UNION);
      this.CONSUME(k.ALL);
      branches.push(this.SUBRULE2(this.branch));
    });
    return defined({ kind: 'CreateDecision', name, aggregate, command, state, branches });
  });

  /** branch := [ BRANCH name ] emit { ',' emit } [ WHERE expression ] */
  readonly branch = this.RULE('branch', (): Branch => {
    const start = this.start();
    const label = this.OPTION(() => behind(this.CONSUME(k.BRANCH), this.SUBRULE(this.name)));
    const emits = this.list(() => this.SUBRULE(this.emit));
    const guard = this.OPTION2(() => behind(this.CONSUME(k.WHERE), this.SUBRULE(this.expression)));
    return this.node(start, { kind: 'Branch', label, emits, guard });
  });

  /** emit := SELECT EVENT name assignments [ TO name '(' expression ')' ] */
  readonly emit = this.RULE('emit', (): Emit => {
    const start = this.start();
    this.CONSUME(k.SELECT);
    this.CONSUME(k.EVENT);
    const event = this.SUBRULE(this.name);
    const assignments = this.SUBRULE(this.assignments);
    const to = this.OPTION(() => this.SUBRULE(this.emitTarget));
    return this.node(start, { kind: 'Emit', event, assignments, to });
  });

  readonly emitTarget = this.RULE('emitTarget', (): EmitTarget => {
    const start = this.start();
    this.CONSUME(k.TO);
    const aggregate = this.SUBRULE(this.name);
    const stream = this.parenthesised(() => this.SUBRULE(this.expression));
    return { kind: 'EmitTarget', span: this.spanFrom(start), aggregate, stream };
  });

  /** assignments := '(' [ assignment { ',' assignment } ] ')' */
  readonly assignments = this.RULE('assignments', (): readonly Assignment[] =>
    this.parenthesised(() => this.listOrNone(() => this.SUBRULE(this.assignment))).flat(),
  );

  /** assignment := placeholder | fieldName ':=' expression */
  readonly assignment = this.RULE('assignment', (): readonly Assignment[] => {
    const start = this.start();
    return this.OR<readonly Assignment[]>([
      { GATE: () => this.isListPlaceholder(), ALT: () => this.assignmentsFor(this.CONSUME(t.Placeholder)) },
      {
        ALT: () => {
          const field = this.SUBRULE(this.fieldName);
          this.CONSUME(t.Assign);
          const value = this.SUBRULE(this.expression);
          return [{ kind: 'Assignment', span: this.spanFrom(start), field, value }];
        },
        IGNORE_AMBIGUITIES: true,
      },
    ]);
  });

  private assignmentsFor(token: ReadToken): readonly Assignment[] {
    return fillingAssignments(token, this.spanOf(token), this.context.report);
  }

  /** projection := PROJECTION name AS query */
  readonly projection = this.RULE('projection', (): Created<CreateProjection> => {
    this.CONSUME(k.PROJECTION);
    const name = this.SUBRULE(this.name);
    const clauses = this.SUBRULE(this.rowClauses);
    this.CONSUME(k.AS);
    return { kind: 'CreateProjection', name, ...clauses, query: this.inner(this.SUBRULE(this.query)) };
  });
}
