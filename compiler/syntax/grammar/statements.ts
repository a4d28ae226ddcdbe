import { blockKeywords, kindsKeywords, type BlockKind } from '../../../language/contract/block-kind.ts';
import type {
  Advance,
  ApplyTemplate,
  BlockStatement,
  CommandField,
  CreateTable,
  Describe,
  DescribeAll,
  DescribedKind,
  DropBlock,
  DropTable,
  Execute,
  ExecuteOption,
  Explain,
  Export,
  Inspect,
  InspectProjection,
  Name,
  Query,
  QueryStatement,
  RelationName,
  SetCaller,
  Statement,
  TemplateArgument,
  TemplateValue,
  Validate,
  Values,
  WrittenCaller,
  WrittenClaim,
} from '../ast.ts';
import { numberText } from '../tokens/token-text.ts';
import type { IOrAlt } from '../chevrotain.ts';
import * as t from '../tokens/vocabulary.ts';
import { BlockGrammar } from './blocks.ts';
import type { Created } from './domain-blocks.ts';
import { fillingValue, literalValue } from './fillings.ts';
import type { WholeQuery } from './queries.ts';
import { behind, type Clause, type GrammarParts, type Literal, type Rule } from './words.ts';

const k = t.keyword;

/** The clauses of an INSPECT behind its target. */
type InspectClauses = Pick<InspectProjection, 'offset' | 'where' | 'limit' | 'asOf' | 'store' | 'schema'>;

/** An INSPECT without its kind: `block` is the one that runs. */
interface Inspected extends InspectClauses {
  readonly block: Name;
  readonly source: RelationName;
  readonly target: RelationName;
}

/** A CREATE without the parts that its first words give it. */
type CreatedStatement = Created<BlockStatement> | Omit<CreateTable, 'span'>;

/** The statements other than CREATE of a block (docs/language.md#the-language), and the entry rules of the parser. */
export class Grammar extends BlockGrammar {
  constructor(validate: boolean, parts?: Partial<GrammarParts>) {
    super(validate, parts);
    this.performSelfAnalysis();
  }

  /** statement := create | drop | apply | execute | inspect | describe | validate | explain | export | advance | setCaller | resetCaller | query */
  readonly statement: Rule<Statement> = this.RULE('statement', (): Statement => {
    const start = this.start();
    return this.OR<Statement>([
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
      { ALT: () => this.SUBRULE(this.setCaller) },
      { ALT: () => this.SUBRULE(this.resetCaller) },
      { ALT: () => this.queryFrom(start, this.SUBRULE(this.query)) },
    ]);
  });

  private queryFrom(start: number, whole: WholeQuery): QueryStatement {
    return { kind: 'QueryStatement', span: this.spanFrom(start), ...whole };
  }

  /** create := CREATE [ OR REPLACE ] ( block | table )        (a table never with OR REPLACE: `statement-head.ts`) */
  readonly create: Rule<BlockStatement | CreateTable> = this.RULE('create', (): BlockStatement | CreateTable => {
    const [start, doc] = [this.start(), this.doc()];
    this.CONSUME(k.CREATE);
    const replace = this.OPTION(() => behind(this.CONSUME(k.OR), this.CONSUME(k.REPLACE)));
    const rules: readonly Rule<CreatedStatement>[] = [...this.blockRules, this.table];
    const created = this.OR<CreatedStatement>(rules.map((rule) => ({ ALT: () => this.SUBRULE(rule) })));
    const span = this.spanFrom(start);
    if (created.kind === 'CreateTable') return placed(created, { span });
    return placed(created, { span, orReplace: replace !== undefined, ...doc });
  });

  /** table := TABLE name [ nameList ] AS query */
  readonly table: Rule<Omit<CreateTable, 'span'>> = this.RULE('table', (): Omit<CreateTable, 'span'> => {
    this.CONSUME(k.TABLE);
    const name = this.SUBRULE(this.name);
    const columns = this.OPTION(() => this.SUBRULE(this.nameList));
    this.CONSUME(k.AS);
    const { query, asOf } = this.SUBRULE(this.query);
    return this.ACTION(() => ({
      kind: 'CreateTable',
      name,
      ...(columns === undefined ? {} : { columns }),
      source: (asOf === undefined ? plainValues(query) : undefined) ?? query,
      ...(asOf === undefined ? {} : { asOf }),
    }));
  });

  /** blockKind := the keyword of a kind (`language/contract/block-kind.ts`) */
  readonly blockKind: Rule<BlockKind> = this.RULE('blockKind', (): BlockKind => {
    const word = this.oneOf(blockKeywords);
    return this.ACTION(() => word.toLowerCase() as BlockKind); // the keyword of a kind is its name
  });

  /** drop := DROP ( blockKind | TABLE ) name */
  readonly drop: Rule<DropBlock | DropTable> = this.RULE('drop', (): DropBlock | DropTable => {
    const start = this.start();
    this.CONSUME(k.DROP);
    const block = this.OR<BlockKind | 'table'>([
      { ALT: () => this.SUBRULE(this.blockKind) },
      this.word(k.TABLE, 'table'),
    ]);
    const name = this.SUBRULE(this.name);
    const span = this.spanFrom(start);
    return block === 'table' ? { kind: 'DropTable', span, name } : { kind: 'DropBlock', span, block, name };
  });

  /** apply := ( APPLY | USE ) TEMPLATE name WITH '(' templateArgument { ',' templateArgument } ')' */
  readonly apply: Rule<ApplyTemplate> = this.RULE('apply', (): ApplyTemplate => {
    const start = this.start();
    this.oneOf(['APPLY', 'USE']);
    this.CONSUME(k.TEMPLATE);
    const template = this.SUBRULE(this.name);
    this.CONSUME(k.WITH);
    const given = this.parenthesised(() => this.listOrNone(() => this.SUBRULE(this.templateArgument)));
    return { kind: 'ApplyTemplate', span: this.spanFrom(start), template, arguments: given };
  });

  /** templateArgument := fieldName '=' ( literal | '(' [ commandField { ',' commandField } ] ')' ) */
  readonly templateArgument: Rule<TemplateArgument> = this.RULE('templateArgument', (): TemplateArgument => {
    const start = this.start();
    const name = this.SUBRULE(this.fieldName);
    this.CONSUME(t.Equal);
    const value = this.OR<TemplateValue>([
      { ALT: () => this.argumentOf(this.SUBRULE(this.literal)) },
      { ALT: () => ({ type: 'fields', fields: this.SUBRULE(this.fieldList) }) },
    ]);
    return { kind: 'TemplateArgument', span: this.spanFrom(start), name, value };
  });

  private argumentOf(literal: Literal): TemplateValue {
    return this.ACTION(() => {
      if (literal.node !== undefined) return literalValue(literal.node);
      return fillingValue(literal.placeholder, this.spanOf(literal.placeholder), this.context.report);
    });
  }

  readonly fieldList: Rule<readonly CommandField[]> = this.RULE('fieldList', (): readonly CommandField[] =>
    this.parenthesised(() => this.listOrNone(() => this.SUBRULE(this.commandField))).flat(),
  );

  /** execute := EXECUTE name assignments [ WITH '(' [ executeOption { ',' executeOption } ] ')' ] */
  readonly execute: Rule<Execute> = this.RULE('execute', (): Execute => {
    const start = this.start();
    this.CONSUME(k.EXECUTE);
    const command = this.SUBRULE(this.name);
    const given = this.SUBRULE(this.assignments);
    const options = this.OPTION(() =>
      behind(
        this.CONSUME(k.WITH),
        this.parenthesised(() => this.listOrNone(() => this.SUBRULE(this.executeOption))),
      ),
    );
    return { kind: 'Execute', span: this.spanFrom(start), command, arguments: given, options: options ?? [] };
  });

  /** executeOption := fieldName '=' expression */
  readonly executeOption: Rule<ExecuteOption> = this.RULE('executeOption', (): ExecuteOption => {
    const start = this.start();
    const name = this.SUBRULE(this.fieldName);
    this.CONSUME(t.Equal);
    const value = this.SUBRULE(this.expression);
    return { kind: 'ExecuteOption', span: this.spanFrom(start), name, value };
  });

  /** inspect := INSPECT ( inspectDecision | inspectProjection | inspectReaction ) */
  readonly inspect: Rule<Inspect> = this.RULE('inspect', (): Inspect => {
    const start = this.start();
    this.CONSUME(k.INSPECT);
    const inspected = this.OR<Created<Inspect>>([
      { ALT: () => this.SUBRULE(this.inspectDecision) },
      { ALT: () => this.SUBRULE(this.inspectProjection) },
      { ALT: () => this.SUBRULE(this.inspectReaction) },
    ]);
    return placed(inspected, { span: this.spanFrom(start) });
  });

  /** inspectDecision := DECISION name FROM relationName INTO relationName { inspectChoice | inspectOption } */
  readonly inspectDecision: Rule<Created<Inspect>> = this.RULE('inspectDecision', (): Created<Inspect> => {
    this.CONSUME(k.DECISION);
    const { block, ...others } = this.inspected([]);
    return { kind: 'InspectDecision', decision: block, ...others };
  });

  /** inspectReaction := REACTION name FROM relationName INTO relationName { inspectChoice | inspectOption } */
  readonly inspectReaction: Rule<Created<Inspect>> = this.RULE('inspectReaction', (): Created<Inspect> => {
    this.CONSUME(k.REACTION);
    const { block, ...others } = this.inspected([]);
    return { kind: 'InspectReaction', reaction: block, ...others };
  });

  /** name FROM relationName INTO relationName { inspectChoice | inspectOption }, with more kinds of clauses before these. */
  private inspected(more: readonly IOrAlt<Clause<InspectClauses>>[]): Inspected {
    const block = this.SUBRULE(this.name);
    this.CONSUME(k.FROM);
    const source = this.SUBRULE(this.relationName);
    this.CONSUME(k.INTO);
    const target = this.SUBRULE2(this.relationName);
    const clauses: Clause<InspectClauses>[] = [];
    this.MANY(() => {
      const clause = this.OR<Clause<InspectClauses>>([
        ...more,
        { ALT: () => this.SUBRULE(this.inspectChoice) },
        { ALT: () => this.SUBRULE(this.inspectOption) },
      ]);
      clauses.push(clause);
    });
    return { block, source, target, ...this.once(clauses, ['offset', 'where', 'limit', 'asOf', 'store', 'schema']) };
  }

  /** inspectOption := asOf | USING EVENTSTORE name | WITH SCHEMA [ FILE ] string            (SCHEMA and FILE are names elsewhere) */
  readonly inspectOption: Rule<Clause<InspectClauses>> = this.RULE('inspectOption', (): Clause<InspectClauses> => {
    const start = this.start();
    const given = this.OR<Omit<Clause<InspectClauses>, 'span'>>([
      { GATE: () => this.opensAsOf(), ALT: () => ({ what: 'AS OF', part: { asOf: this.SUBRULE(this.asOf) } }) },
      {
        ALT: () =>
          behind(this.CONSUME(k.USING), this.CONSUME(k.EVENTSTORE), {
            what: 'USING EVENTSTORE',
            part: { store: this.SUBRULE(this.name) },
          }),
      },
      {
        GATE: () => this.isWord(2, 'SCHEMA'),
        ALT: () => {
          this.CONSUME(k.WITH);
          this.CONSUME(t.Identifier);
          const file = this.OPTION({ GATE: () => this.isWord(1, 'FILE'), DEF: () => this.CONSUME2(t.Identifier) });
          const from = file === undefined ? 'text' : 'file';
          const { span, value } = this.stringOf(this.CONSUME(t.StringToken));
          return { what: 'WITH SCHEMA', part: { schema: { kind: 'CandidateSchema', span, from, value } } };
        },
      },
    ]);
    return { ...given, span: this.spanFrom(start) };
  });

  /** inspectProjection := PROJECTION name FROM relationName INTO relationName { inspectClause | inspectChoice | inspectOption } */
  readonly inspectProjection: Rule<Created<Inspect>> = this.RULE('inspectProjection', (): Created<Inspect> => {
    this.CONSUME(k.PROJECTION);
    const { block, ...others } = this.inspected([{ ALT: () => this.SUBRULE(this.inspectClause) }]);
    return { kind: 'InspectProjection', projection: block, ...others };
  });

  /** inspectClause := OFFSET expression */
  readonly inspectClause: Rule<Clause<InspectClauses>> = this.RULE('inspectClause', (): Clause<InspectClauses> => {
    const word = this.CONSUME(k.OFFSET);
    return this.clause(word, { offset: this.SUBRULE(this.expression) });
  });

  /** inspectChoice := ( WHERE | LIMIT ) expression */
  readonly inspectChoice: Rule<Clause<InspectClauses>> = this.RULE('inspectChoice', (): Clause<InspectClauses> => {
    const token = this.LA(1);
    const isLimit = this.oneOf(['WHERE', 'LIMIT']) === 'LIMIT';
    const value = this.SUBRULE(this.expression);
    return this.clause<InspectClauses>(token, isLimit ? { limit: value } : { where: value });
  });

  /** describe := DESCRIBE ( ( blockKind | INSPECTION ) name | AGGREGATES | COMMANDS | … | INSPECTIONS | name ) */
  readonly describe: Rule<Describe | DescribeAll> = this.RULE('describe', (): Describe | DescribeAll => {
    const start = this.start();
    this.CONSUME(k.DESCRIBE);
    const described = this.OR<Omit<Describe, 'span'> | Omit<DescribeAll, 'span'>>([
      {
        ALT: () => {
          const what = this.OR2<DescribedKind>([
            { ALT: () => this.SUBRULE(this.blockKind) },
            this.word(k.INSPECTION, 'inspection'),
          ]);
          return { kind: 'Describe', what, name: this.SUBRULE(this.name) };
        },
      },
      { ALT: () => ({ kind: 'DescribeAll', what: this.SUBRULE(this.describedKinds) }) },
      { ALT: () => ({ kind: 'Describe', name: this.SUBRULE2(this.name) }), IGNORE_AMBIGUITIES: true },
    ]);
    return placed(described, { span: this.spanFrom(start) });
  });

  /** describedKinds := such a keyword and S | INSPECTIONS */
  readonly describedKinds: Rule<DescribedKind> = this.RULE('describedKinds', (): DescribedKind => {
    const plural = this.oneOf([...kindsKeywords, 'INSPECTIONS']);
    return this.ACTION(() => plural.toLowerCase().slice(0, -1) as DescribedKind); // each plural is its kind with an S
  });

  /** validate := VALIDATE registry */
  readonly validate: Rule<Validate> = this.RULE('validate', (): Validate => {
    const start = this.start();
    this.CONSUME(k.VALIDATE);
    this.SUBRULE(this.registry);
    return { kind: 'Validate', span: this.spanFrom(start) };
  });

  /** export := EXPORT registry [ asOf ] */
  readonly export: Rule<Export> = this.RULE('export', (): Export => {
    const start = this.start();
    this.CONSUME(k.EXPORT);
    this.SUBRULE(this.registry);
    const asOf = this.OPTION(() => this.SUBRULE(this.asOf));
    return this.node(start, { kind: 'Export', asOf });
  });

  /** advance := ADVANCE CLOCK ( number dueUnit | TO TIMESTAMP string ) */
  readonly advance: Rule<Advance> = this.RULE('advance', (): Advance => {
    const start = this.start();
    this.CONSUME(k.ADVANCE);
    this.CONSUME(k.CLOCK);
    const time = this.OR<Pick<Advance, 'by' | 'to'>>([
      {
        ALT: () => {
          const amount = numberText(this.CONSUME(t.NumberToken));
          return { by: { amount, unit: this.SUBRULE(this.dueUnit) } };
        },
      },
      {
        ALT: () =>
          behind(this.CONSUME(k.TO), this.CONSUME(k.TIMESTAMP), { to: this.stringOf(this.CONSUME(t.StringToken)) }),
      },
    ]);
    return { kind: 'Advance', span: this.spanFrom(start), ...time };
  });

  /** setCaller := SET CALLER caller */
  readonly setCaller: Rule<SetCaller> = this.RULE('setCaller', (): SetCaller => {
    const start = this.start();
    this.CONSUME(k.SET);
    this.CONSUME(k.CALLER);
    const caller = this.SUBRULE(this.caller);
    return { kind: 'SetCaller', span: this.spanFrom(start), caller };
  });

  /** resetCaller := RESET CALLER */
  readonly resetCaller: Rule<SetCaller> = this.RULE('resetCaller', (): SetCaller => {
    const start = this.start();
    this.CONSUME(k.RESET);
    this.CONSUME(k.CALLER);
    return { kind: 'SetCaller', span: this.spanFrom(start) };
  });

  /** caller := ( string | NULL ) [ ROLES stringList ] [ CLAIMS '(' writtenClaim { ',' writtenClaim } ')' ] */
  readonly caller: Rule<WrittenCaller> = this.RULE('caller', (): WrittenCaller => {
    const start = this.start();
    const subject = this.OR<WrittenCaller['subject']>([
      { ALT: () => this.stringOf(this.CONSUME(t.StringToken)) },
      { ALT: () => ({ kind: 'NullLiteral', span: this.spanOf(this.CONSUME(k.NULL)) }) },
    ]);
    const roles = this.OPTION(() => {
      this.CONSUME(k.ROLES);
      this.CONSUME(t.LParen);
      const given = this.listOrNone(() => this.SUBRULE(this.enumValue));
      this.CONSUME(t.RParen);
      return given.flat();
    });
    const claims = this.OPTION2(() => {
      this.CONSUME(k.CLAIMS);
      this.CONSUME2(t.LParen);
      const given = this.list(() => this.SUBRULE(this.writtenClaim));
      this.CONSUME2(t.RParen);
      return given;
    });
    return { kind: 'WrittenCaller', span: this.spanFrom(start), subject, roles: roles ?? [], claims: claims ?? [] };
  });

  /** writtenClaim := fieldName ':=' ( literal | '(' [ literal { ',' literal } ] ')' ) */
  readonly writtenClaim: Rule<WrittenClaim> = this.RULE('writtenClaim', (): WrittenClaim => {
    const start = this.start();
    const name = this.SUBRULE(this.fieldName);
    this.CONSUME(t.Assign);
    const value = this.OR<Pick<WrittenClaim, 'values' | 'isList'>>([
      { ALT: () => ({ values: [this.nodeOf(this.SUBRULE(this.literal))], isList: false }) },
      {
        ALT: () => {
          this.CONSUME(t.LParen);
          const values = this.listOrNone(() => this.nodeOf(this.SUBRULE2(this.literal)));
          this.CONSUME(t.RParen);
          return { values, isList: true };
        },
      },
    ]);
    return { kind: 'WrittenClaim', span: this.spanFrom(start), name, ...value };
  });

  /** registry := REGISTRY | REG | DEREG */
  readonly registry: Rule<string> = this.RULE('registry', (): string => this.oneOf(['REGISTRY', 'REG', 'DEREG']));

  /** explain := EXPLAIN ( DECISION name | PROJECTION name | REACTION name | ACCESS [ FOR CALLER caller ] | query ) */
  readonly explain: Rule<Explain> = this.RULE('explain', (): Explain => {
    const start = this.start();
    this.CONSUME(k.EXPLAIN);
    const target = this.OR<Explain['target']>([
      {
        ALT: () => {
          const word = this.oneOf(['DECISION', 'PROJECTION', 'REACTION'], 2);
          const name = this.SUBRULE(this.name);
          return this.ACTION(() => ({ type: word.toLowerCase() as Lowercase<typeof word>, name }));
        },
      },
      { ALT: () => this.accessOf() },
      { ALT: () => ({ type: 'query', ...this.SUBRULE(this.query) }) },
    ]);
    return { kind: 'Explain', span: this.spanFrom(start), target };
  });

  private accessOf(): Explain['target'] {
    this.CONSUME(k.ACCESS);
    const caller = this.OPTION(() => {
      this.CONSUME(k.FOR);
      this.CONSUME(k.CALLER);
      return this.SUBRULE(this.caller);
    });
    return { type: 'access', ...(caller && { caller }) };
  }
}

/** A node whose first properties were known last. */
function placed<N extends { readonly kind: string }, P>(node: N, parts: P): N & P {
  return Object.assign({ kind: node.kind, ...parts }, node);
}

/** The VALUES of a query that contains nothing else. */
function plainValues({ body, with: tables, orderBy, limit, offset }: Query): Values | undefined {
  const alone = tables.length === 0 && orderBy.length === 0 && limit === undefined && offset === undefined;
  return alone && body.kind === 'Values' ? body : undefined;
}
