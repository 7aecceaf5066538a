import { useDebouncedAsync } from 'lull'

/** Shows how many matches there are for the text. */
export function Count({
  count,
}: {
  count: (text: string, signal: AbortSignal) => Promise<number>
}) {
  // useAsyncDebouncer(count, { wait: 300 }, ({ lastResult, … }) => …)
  const { run, data, status } = useDebouncedAsync(
    (signal, text: string) => count(text, signal),
    300,
  )
  return (
    <label>
      Name
      <input onChange={(event) => void run(event.target.value)} />
      <output>{status === 'pending' ? '…' : data}</output>
    </label>
  )
}
