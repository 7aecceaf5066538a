import { useDebouncedState } from 'lull'

/** Searches when typing stops, at once on Enter. Clears at once. */
export function Finder({ find }: { find: (text: string) => string }) {
  const [query, setQuery, { cancel }] = useDebouncedState('', 300)
  return (
    <>
      <input
        aria-label="Find"
        onChange={({ target: { value } }) =>
          setQuery(value, { immediate: value === '' })
        }
        onKeyDown={({ key, currentTarget: { value } }) => {
          if (key === 'Enter') setQuery(value, { immediate: true })
          if (key === 'Escape') cancel()
        }}
      />
      <output>{query && find(query)}</output>
    </>
  )
}
