import { useDebouncedAsync } from 'lull'

/** Says whether a name is free, for the name that stands there and no other. */
export function NameField({ isFree }: { isFree: (name: string, signal: AbortSignal) => Promise<boolean> }) {
  const { run, data, error, status } = useDebouncedAsync((signal, name: string) => isFree(name, signal), 300)
  const answer = { idle: '', pending: 'checking …', success: data ? 'free' : 'taken', error: String(error) }
  return (
    <label>
      Name
      <input onChange={(event) => void run(event.target.value)} />
      <output>{answer[status]}</output>
    </label>
  )
}
