// This recipe is a test itself.
import '../../docs/recipes/testing/clock-provider.tsx'
