import { useDebouncedCallback, useThrottledCallback } from 'lull'

export function Invitation({
  send,
  renew,
}: {
  send: () => void
  renew: () => void
}) {
  const sendOnce = useDebouncedCallback(send, 300, {
    leading: true,
    trailing: false,
  })
  const renewSeldom = useThrottledCallback(renew, 300_000, {
    trailing: false,
  })
  return (
    <p>
      <button onClick={sendOnce}>Send</button>
      <button onClick={renewSeldom}>Renew</button>
    </p>
  )
}
