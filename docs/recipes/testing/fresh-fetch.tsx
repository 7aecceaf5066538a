import { render } from '@testing-library/react'
import { RateLimitProvider } from 'lull'
import type { ReactElement } from 'react'

/** Renders with a rate-limited fetch that ends with the test. */
export const renderFresh = (element: ReactElement) =>
  render(<RateLimitProvider options={{}}>{element}</RateLimitProvider>)
