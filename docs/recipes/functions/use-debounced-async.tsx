import { useDebouncedAsync } from 'lull'

/** Says whether the name in the field is free, never an older one. */
export function NameField({
  isFree,
}: {
  isFree: (name: string, signal: AbortSignal) => Promise<boolean>
}) {
  const { run, data, error, status } = useDebouncedAsync(
    (signal, name: string) => isFree(name, signal),
    300,
  )
  const message = {
    idle: '',
    pending: 'checking …',
    success: data ? 'free' : 'taken',
    error: String(error),
  }
  return (
    <label>
      Name
      <input onChange={(event) => void run(event.target.value)} />
      <output>{message[status]}</output>
    </label>
  )
}
