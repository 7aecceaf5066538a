import js from '@eslint/js'
import reactHooks from 'eslint-plugin-react-hooks'
import { defineConfig, globalIgnores } from 'eslint/config'
import tseslint from 'typescript-eslint'

export default defineConfig(
  globalIgnores([
    '**/dist/',
    'coverage/',
    'test/mutation/.sandboxes/',
    'docs/.vitepress/cache/',
    'docs/.vitepress/.temp/',
    'docs/api/',
    'test/packaging/{types,jest-ts}/',
  ]),
  js.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { project: 'tsconfig.json', tsconfigRootDir: import.meta.dirname } },
    rules: {
      // A `void` operator in an arrow says that its value is not wanted.
      '@typescript-eslint/no-confusing-void-expression': [
        'error',
        { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
      ],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // What a promise rejects with is often the caller's: a signal's reason may be anything.
      '@typescript-eslint/prefer-promise-reject-errors': [
        'error',
        { allowThrowingAny: true, allowThrowingUnknown: true },
      ],
      // `!` states an invariant that the line above shows.
      '@typescript-eslint/no-non-null-assertion': 'off',
      // Slow, and the project has no enum and one class.
      '@typescript-eslint/no-unsafe-enum-assignment': 'off',
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
    },
  },
  {
    // A fifth of the time of the lint. Only what users install must live on in later versions of its platform.
    files: ['{bench,demo,docs,test}/**/*.{ts,tsx}'],
    rules: { '@typescript-eslint/no-deprecated': 'off' },
  },
  {
    files: ['src/react/**', 'demo/**', 'test/**/*.tsx', 'docs/**/*.after.tsx', 'docs/recipes/functions/**'],
    extends: [reactHooks.configs.flat['recommended-latest']],
  },
  {
    files: ['**/*.js'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        performance: 'readonly',
        setTimeout: 'readonly',
        clearTimeout: 'readonly',
        document: 'readonly',
        scrollBy: 'readonly',
        scrollTo: 'readonly',
      },
    },
  },
  {
    // Projects of their own: pages, workers and servers.
    files: ['test/packaging/**/*.{js,mjs}'],
    languageOptions: {
      globals: {
        AbortController: 'readonly',
        Event: 'readonly',
        clearInterval: 'readonly',
        console: 'readonly',
        fetch: 'readonly',
        Headers: 'readonly',
        location: 'readonly',
        postMessage: 'readonly',
        queueMicrotask: 'readonly',
        Response: 'readonly',
        setImmediate: 'readonly',
        setInterval: 'readonly',
        URL: 'readonly',
        URLSearchParams: 'readonly',
        Worker: 'readonly',
      },
    },
  },
  {
    files: ['test/packaging/**/*.cjs'],
    languageOptions: { globals: { process: 'readonly', require: 'readonly' } },
  },
)
