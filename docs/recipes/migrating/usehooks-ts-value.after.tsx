import { useDebouncedState } from 'lull'

export function Nickname({ first = 'Ada' }: { first?: string }) {
  const [nickname, setNickname] = useDebouncedState(first, 500)
  return (
    <label>
      Nickname{' '}
      <input
        defaultValue={first}
        onChange={(event) => setNickname(event.target.value)}
      />
      <output>{nickname}</output>
    </label>
  )
}
