// These recipes are tests themselves.
import '../../docs/recipes/testing/clock-provider.tsx'
import '../../docs/recipes/testing/render-on-clock.tsx'
