import { defineConfig } from 'vitepress'

export default defineConfig({
  title: 'lull',
  description: 'Debounce, throttle and rate limits for React, and a fetch that paces itself',
  // The drawings follow the preference too, and could not follow a switch.
  appearance: 'force-auto',
})
