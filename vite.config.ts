import { fileURLToPath } from 'node:url'
import { transformAsync } from '@babel/core'
import { playwright } from '@vitest/browser-playwright'
import dts from 'vite-plugin-dts'
import type { Plugin, Rolldown } from 'vite'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { CHROMIUM_SWITCHES } from './test/demo/browser.ts'

const entries = ['react', 'core', 'fetch', 'redis', 'tabs', 'testing'] as const

/** Where `lull` and its subpaths are found: in `src` while we work, in `dist` to test what is published. */
export function packageAlias(root: 'src' | 'dist'): { find: RegExp; replacement: string }[] {
  const extension = root === 'src' ? 'ts' : 'js'
  return entries.map((entry) => ({
    find: entry === 'react' ? /^lull$/ : new RegExp(`^lull/${entry}$`),
    replacement: fileURLToPath(new URL(`${root}/${entry}/index.${extension}`, import.meta.url)),
  }))
}

/** React Compiler, for the hooks and the recipes. A hook that it cannot compile is an error. */
function reactCompiler(target: '18' | '19'): Plugin {
  return {
    name: 'react-compiler',
    enforce: 'pre',
    async transform(code, id) {
      if (!/\/(src\/react|docs\/recipes|test\/react\/matrix)\/[^?]*(?<!test)\.tsx?$/.test(id))
        return undefined
      const isOurs = id.includes('/src/')
      const result = await transformAsync(code, {
        filename: id,
        babelrc: false,
        configFile: false,
        sourceMaps: true,
        parserOpts: { plugins: ['typescript', ...(id.endsWith('x') ? (['jsx'] as const) : [])] },
        plugins: [
          ['babel-plugin-react-compiler', { target, panicThreshold: isOurs ? 'all_errors' : 'none' }],
        ],
      })
      return result?.code ? { code: result.code, map: result.map as Rolldown.SourceMapInput } : undefined
    },
  }
}

const react18 = fileURLToPath(new URL('test/react-18/', import.meta.url))
const testingLibrary = fileURLToPath(
  new URL('dist/@testing-library/react.esm.js', import.meta.resolve('@testing-library/react/package.json')),
)

/** The machine may be busy with other things. */
const TIMEOUT_MS = 60_000

// First, so that its checks come last.
const SETUP = 'test/setup.ts'
const GLOBALS = 'test/left-globals.ts'

/** The recipes and the laws of the hooks under one React, with or without its compiler. */
function matrix(react: '18' | '19', isCompiled: boolean): TestProjectInlineConfiguration {
  return {
    plugins: isCompiled ? [reactCompiler(react)] : [],
    resolve: {
      alias: [
        ...packageAlias('src'),
        ...(react === '18'
          ? [
              { find: /^react-compiler-runtime$/, replacement: `${react18}compiler-runtime.ts` },
              { find: /^(react|react-dom)(?=\/|$)/, replacement: `${react18}node_modules/$1` },
              // The other build would require the other React.
              { find: /^@testing-library\/react$/, replacement: testingLibrary },
            ]
          : []),
      ],
    },
    test: {
      name: `react-${react}${isCompiled ? '-compiled' : ''}`,
      include: [
        'test/react/matrix/*.matrix.test.tsx',
        // The project `dom` has React 19 without the compiler.
        ...(react === '19' && !isCompiled
          ? []
          : ['test/react/laws/calls.dom.test.tsx', 'test/composition/recipes.dom.test.tsx']),
        // React 18 has no Activity.
        ...(react === '19' && isCompiled ? ['test/react/laws/lives.dom.test.tsx'] : []),
      ],
      environment: 'jsdom',
      setupFiles: [SETUP, GLOBALS, 'test/react/matrix/setup.ts', 'test/react/setup.ts'],
      server: { deps: { inline: [/@testing-library\/react/] } },
      isolate: false,
      testTimeout: TIMEOUT_MS,
      env: { REACT: react, COMPILED: String(isCompiled) },
    },
  }
}

type ProjectConfig = NonNullable<TestProjectInlineConfiguration['test']>

const project = (
  name: string,
  { setupFiles = [], ...test }: Omit<ProjectConfig, 'setupFiles'> & { setupFiles?: string[] },
  root: 'src' | 'dist' = 'src',
): TestProjectInlineConfiguration => ({
  resolve: { alias: packageAlias(root) },
  test: {
    name,
    testTimeout: TIMEOUT_MS,
    hookTimeout: TIMEOUT_MS,
    setupFiles: [SETUP, ...setupFiles],
    ...test,
  },
})

const useClient = ({ name }: { name: string }): string => (name === 'react/index' ? "'use client'" : '')

/**
 * Declarations are written once, as those of CommonJS: an ES module may take its types from there, but not the other way round.
 * So both have the same types, whoever mixes them.
 */
function asCommonJs(filePath: string, content: string): { filePath: string; content: string } {
  return {
    filePath: filePath.replace(/\.d\.ts$/, '.d.cts'),
    content: content.replaceAll(/(?<=['"]\.{1,2}\/[^'"]*)\.tsx?(?=['"])/g, '.cjs'),
  }
}

/** The types of the ES modules: those of CommonJS. */
function writeModuleTypes(): Plugin {
  return {
    name: 'module-types',
    generateBundle({ format }) {
      if (format !== 'es') return
      for (const entry of entries) {
        const source = "export * from './index.cjs'\n"
        this.emitFile({ type: 'asset', fileName: `${entry}/index.d.ts`, source })
      }
    },
  }
}

export default defineConfig({
  resolve: { alias: packageAlias('src') },
  build: {
    target: 'es2022',
    minify: false,
    lib: { entry: Object.fromEntries(entries.map((entry) => [`${entry}/index`, `src/${entry}/index.ts`])) },
    rolldownOptions: {
      external: /^react(\/|$)/,
      output: [
        {
          format: 'es',
          preserveModules: true,
          preserveModulesRoot: 'src',
          entryFileNames: '[name].js',
          banner: useClient,
        },
        // For Jest and for what else cannot load ESM. Few files, because nothing shakes this tree.
        {
          format: 'cjs',
          entryFileNames: '[name].cjs',
          chunkFileNames: 'shared/[name].cjs',
          banner: useClient,
        },
      ],
    },
  },
  plugins: [
    dts({ tsconfigPath: 'tsconfig.build.json', entryRoot: 'src', beforeWriteFile: asCommonJs }),
    writeModuleTypes(),
  ],
  test: {
    // Two cores, and the browser wants one.
    maxWorkers: 2,
    projects: [
      project('node', {
        include: [
          'test/{core,fetch,tabs,field,testing,composition,chaos,docs,bench}/**/*.test.ts',
          'test/*.test.ts',
        ],
        exclude: ['**/*.browser.test.ts', '**/*.page.test.ts'],
        // Tests clean up after themselves, so files need no process each, which would take twice as long.
        isolate: false,
        setupFiles: [GLOBALS],
      }),
      project('dom', {
        include: ['test/{react,composition}/**/*.dom.test.tsx'],
        environment: 'jsdom',
        isolate: false,
        setupFiles: [GLOBALS, 'test/react/setup.ts'],
      }),
      project('redis', {
        include: ['test/redis/**/*.test.ts'],
        globalSetup: 'test/redis/servers/find-server.ts',
      }),
      matrix('19', false),
      matrix('19', true),
      matrix('18', false),
      matrix('18', true),
      project('server', {
        include: ['test/react/**/*.server.test.tsx'],
      }),
      project(
        'built',
        {
          // The suites that tell most of the package, once more on what is published.
          include: [
            'test/built/**/*.test.ts',
            'test/react/{laws/calls,calls/use-debounced-callback,limits/use-rate-limited-fetch}.dom.test.tsx',
          ],
          environment: 'jsdom',
          isolate: false,
          setupFiles: ['test/react/setup.ts'],
        },
        'dist',
      ),
      project('browser', {
        include: [
          'test/react/**/*.browser.test.tsx',
          'test/react/laws/calls.dom.test.tsx',
          'test/fetch/**/*.browser.test.ts',
          'test/fetch/policies/until-body-read.test.ts',
        ],
        globalSetup: 'test/fetch/browser/browser-servers.ts',
        setupFiles: [
          'test/react/setup.ts',
          ...(process.env['LULL_CPU_THROTTLING'] ? ['test/react/slow-cpu.ts'] : []),
        ],
        browser: {
          enabled: true,
          headless: true,
          screenshotFailures: false,
          provider: playwright({
            launchOptions: {
              // Set by the test command, which finds one. Without it Playwright looks for its own.
              ...(process.env['CHROMIUM_PATH'] && { executablePath: process.env['CHROMIUM_PATH'] }),
              args: CHROMIUM_SWITCHES,
            },
          }),
          instances: [{ browser: 'chromium' }],
        },
      }),
      project('page', {
        include: ['test/{demo,hidden-page}/**/*.test.ts', 'test/tabs/*.page.test.ts'],
        globalSetup: 'test/demo/serve-demo.ts',
        testTimeout: TIMEOUT_MS * Number(process.env['LULL_CPU_THROTTLING'] ?? 1),
        isolate: false,
      }),
    ],
  },
})
