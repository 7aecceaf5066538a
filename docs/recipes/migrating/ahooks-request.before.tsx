import { useRequest } from 'ahooks'

export function People({
  find,
}: {
  find: (name: string) => Promise<string>
}) {
  const { data, error, loading, run } = useRequest(find, {
    debounceWait: 300,
    manual: true,
  })
  return (
    <label>
      Name <input onChange={(event) => run(event.target.value)} />
      <output>{error?.message ?? data}</output>
      <progress hidden={!loading} />
    </label>
  )
}
