import { defineConfig, globalIgnores } from 'eslint/config';
import { configs } from 'typescript-eslint';

export default defineConfig(
  globalIgnores(['dist/', 'out/', 'node_modules/']),
  configs.strictTypeChecked,
  configs.stylisticTypeChecked,
  {
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'separate-type-imports' }],
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
      '@typescript-eslint/dot-notation': 'off',
      // Numbers read well in messages.
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportDefaultDeclaration', message: 'Export by name.' },
        { selector: 'ExportAllDeclaration', message: 'No barrels: import from the file itself.' },
      ],
      eqeqeq: 'error',
      'no-console': 'error',
    },
  },
  {
    files: ['src/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              group: ['@kubernetes/client-node*'],
              message: 'Only src/cluster/ imports the Kubernetes client.',
            },
            { group: ['undici'], message: 'It bypasses the editor’s proxy settings and needs a newer Node.' },
          ],
          paths: [{ name: 'vscode', message: 'Only src/editor/ imports vscode.' }],
        },
      ],
    },
  },
  {
    files: ['src/editor/**', 'src/extension.ts'],
    rules: {
      'no-restricted-imports': ['error', { patterns: [{ group: ['@kubernetes/client-node*', 'undici'] }] }],
    },
  },
  {
    files: ['src/cluster/**'],
    rules: { 'no-restricted-imports': ['error', { paths: [{ name: 'vscode' }, { name: 'undici' }] }] },
  },
  {
    files: ['scripts/**', 'test/**', '*.mjs', '*.js'],
    rules: {
      'no-console': 'off',
      'no-restricted-syntax': 'off',
      // mocha's functions are used with promises that mocha itself awaits.
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
  { files: ['**/*.cjs'], rules: { '@typescript-eslint/no-require-imports': 'off' } },
  {
    // Tests look deep into raw JSON of any kind.
    files: ['test/**'],
    rules: {
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
    },
  },
);
