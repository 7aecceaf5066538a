// These recipes are tests.
import '../../docs/recipes/testing/clock-provider.tsx'
import '../../docs/recipes/testing/render-on-clock.tsx'
