import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

const everywhere = ['consumer.tsx', 'common.cts', 'both.mts']
const nodenext = { module: 'nodenext', moduleResolution: 'nodenext' }

/** The files of each setting, and its options besides those of `types/tsconfig.json`. */
const settings = {
  node10: {
    what: 'all entries under node10, which reads no exports',
    files: ['consumer.tsx'],
    compilerOptions: { module: 'commonjs', moduleResolution: 'node' },
  },
  node16: {
    what: 'all entries under node16, from CommonJS too',
    files: everywhere,
    compilerOptions: { module: 'node16', moduleResolution: 'node16' },
  },
  nodenext: {
    what: 'all entries under nodenext, from CommonJS too',
    files: everywhere,
    compilerOptions: nodenext,
  },
  bundler: {
    what: 'all entries under bundler',
    files: ['consumer.tsx'],
    compilerOptions: { module: 'esnext', moduleResolution: 'bundler' },
  },
  declaration: {
    what: 'to declare what is made of all entries',
    files: ['declared.ts'],
    compilerOptions: {
      ...nodenext,
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      outDir: 'declared',
    },
  },
  node: {
    what: 'core, fetch, redis and tabs without the types of React and the DOM',
    files: ['core-only.ts', 'server.ts'],
    compilerOptions: { ...nodenext, lib: ['es2020'], types: ['node'] },
  },
  worker: {
    what: 'core and tabs with the types of a worker',
    files: ['core-only.ts'],
    compilerOptions: { ...nodenext, lib: ['es2020', 'webworker'] },
  },
}

/**
 * Each version with the setting that it does not support. The first is the oldest that the package supports.
 */
const versions = { 4.7: 'bundler', '5.0': undefined, 5.9: undefined, '6.0': 'node10', '7.0': 'node10' }

export const types = {
  name: 'types',
  async check({ folder, node }, check) {
    for (const [version, unknown] of Object.entries(versions)) {
      for (const [setting, { what, ...config }] of Object.entries(settings)) {
        if (setting === unknown) continue
        writeFileSync(
          join(folder, 'tsconfig.setting.json'),
          JSON.stringify({ extends: './tsconfig.json', ...config }),
        )
        await check(`TypeScript ${version} accepts ${what}`, () =>
          node(`node_modules/typescript-${version}/bin/tsc`, '--project', 'tsconfig.setting.json'),
        )
      }
    }
  },
}
