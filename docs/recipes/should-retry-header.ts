import type { ComposeOptions } from 'lull/fetch'

/** For the option `shouldRetry`: obeys the header of the server. */
export const asServerSays: ComposeOptions['shouldRetry'] = ({
  response,
}) => {
  const said =
    response?.headers.get('x-should-retry') ??
    response?.headers.get('stripe-should-retry')
  return said === 'true' || (said === 'false' ? false : undefined)
}
