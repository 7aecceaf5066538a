import { defineConfig } from 'vite'

// Bundles a single import, to check what it includes.
export default defineConfig({
  build: {
    outDir: 'only',
    rolldownOptions: { input: ['only-debounce.js'], output: { entryFileNames: '[name].js' } },
  },
})
