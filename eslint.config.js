import tseslint from 'typescript-eslint';

/** `!` claims what the compiler cannot see, so a comment on its line or the line above must say why it holds. */
const reasonForNonNull = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: { reason: 'Say in a comment on this line why it cannot be null.' },
  },
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

/** A test file left on `only` silently drops the others. */
const noOnly = {
  selector: "CallExpression[callee.type='MemberExpression'][callee.property.name='only']",
  message: 'Take `.only` away before the file is kept.',
};
const noDefaultExport = { selector: 'ExportDefaultDeclaration', message: 'Export by name.' };
const noReexportAll = {
  selector: "ExportAllDeclaration[exportKind='value']",
  message: 'Name what is exported; only types may be passed on whole.',
};

export default tseslint.config(
  {
    ignores: [
      'build/',
      'dist/',
      'generated/',
      'coverage/',
      'examples/*/generated/',
      'templates/project/',
      'test/**/cases/',
      'bench/peer/',
    ],
  },
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    plugins: { schemac: { rules: { 'reason-for-non-null': reasonForNonNull } } },
    rules: {
      eqeqeq: 'error',
      'no-param-reassign': 'error',
      'no-restricted-syntax': ['error', noDefaultExport, noReexportAll, noOnly],
      'no-self-compare': 'error',
      'no-template-curly-in-string': 'error',
      'object-shorthand': 'error',
      'prefer-const': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'separate-type-imports' }],
      '@typescript-eslint/consistent-type-exports': 'error',
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      // An arrow that only calls is the shortest way to say "do this".
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      // A string is spread into its code points, which is what our text functions count.
      '@typescript-eslint/no-misused-spread': ['error', { allow: ['string'] }],
      '@typescript-eslint/no-non-null-assertion': 'off',
      'schemac/reason-for-non-null': 'error',
      // Types that come from outside (JSON, libraries) promise more than the value keeps; a check of ours may stay.
      '@typescript-eslint/no-unnecessary-condition': [
        'error',
        { allowConstantLoopConditions: 'only-allowed-literals' },
      ],
      // A code without parameters says so with an empty record.
      '@typescript-eslint/no-generated-empty-object-type': 'off',
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
      '@typescript-eslint/no-unused-vars': [
        'error',
        {
          argsIgnorePattern: '^_',
          varsIgnorePattern: '^_',
          destructuredArrayIgnorePattern: '^_',
          ignoreRestSiblings: true,
        },
      ],
      '@typescript-eslint/only-throw-error': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/unified-signatures': 'off',
    },
  },
  {
    files: ['test/**'],
    rules: {
      '@typescript-eslint/explicit-module-boundary-types': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/unbound-method': 'off',
      'schemac/reason-for-non-null': 'off',
      'no-template-curly-in-string': 'off',
    },
  },
  {
    files: ['**/*.js'],
    extends: [tseslint.configs.disableTypeChecked],
    rules: { 'no-restricted-syntax': 'off', '@typescript-eslint/explicit-module-boundary-types': 'off' },
  },
);
