import { useDebouncedAsync } from 'lull'

export function People({
  find,
}: {
  find: (name: string, signal: AbortSignal) => Promise<string>
}) {
  const { data, error, status, run } = useDebouncedAsync(
    (signal, name: string) => find(name, signal),
    300,
  )
  return (
    <label>
      Name <input onChange={(event) => void run(event.target.value)} />
      <output>{error instanceof Error ? error.message : data}</output>
      <progress hidden={status !== 'pending'} />
    </label>
  )
}
