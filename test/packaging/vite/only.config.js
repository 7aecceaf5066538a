import { defineConfig } from 'vite'

// One import by itself, to see what comes along with it.
export default defineConfig({
  build: {
    outDir: 'only',
    rolldownOptions: { input: ['only-debounce.js'], output: { entryFileNames: '[name].js' } },
  },
})
