// These recipes are tests.
import '../../docs/recipes/testing/manual-clock.ts'
import '../../docs/recipes/testing/rate-limited-fetch.ts'
import '../../docs/recipes/testing/vitest-timers.ts'
