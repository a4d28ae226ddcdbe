/** Rules of this project alone, for `.oxlintrc.json`. */

/** `!` claims something that the compiler cannot see, so a comment on its line or the line above must say why it holds. */
const reasonForNonNull = {
  meta: { type: 'suggestion', messages: { reason: 'Say in a comment on this line why it cannot be null.' } },
  create(context) {
    const commented = new Set(
      context.sourceCode.getAllComments().flatMap(({ loc }) => [loc.start.line, loc.end.line, loc.end.line + 1]),
    );
    return {
      TSNonNullExpression(node) {
        if (!commented.has(node.loc.end.line)) context.report({ node, messageId: 'reason' });
      },
    };
  },
};

const namedExports = {
  meta: {
    type: 'suggestion',
    messages: { name: 'Export by name.', list: 'Name what is exported; only types may be passed on whole.' },
  },
  create(context) {
    return {
      ExportDefaultDeclaration: (node) => context.report({ node, messageId: 'name' }),
      "ExportAllDeclaration[exportKind='value']": (node) => context.report({ node, messageId: 'list' }),
    };
  },
};

/** A test file left on `only` silently drops the others. */
const noOnly = {
  meta: { type: 'problem', messages: { only: 'Take `.only` away before the file is kept.' } },
  create(context) {
    return {
      "CallExpression[callee.type='MemberExpression'][callee.property.name='only']": (node) =>
        context.report({ node, messageId: 'only' }),
    };
  },
};

/** Node 20 collects such a signal together with its timer while work waits for it, unless something else holds it. */
const noLooseSignal = {
  meta: {
    type: 'problem',
    messages: { loose: "Use `within` of runtime/outgoing: nothing holds this signal's timer." },
  },
  create(context) {
    return {
      "MemberExpression[object.name='AbortSignal'][property.name=/^(any|timeout)$/]": (node) =>
        context.report({ node, messageId: 'loose' }),
    };
  },
};

export default {
  meta: { name: 'schemac' },
  rules: {
    'named-exports': namedExports,
    'no-loose-signal': noLooseSignal,
    'no-only': noOnly,
    'reason-for-non-null': reasonForNonNull,
  },
};
