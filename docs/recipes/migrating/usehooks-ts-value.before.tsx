import { useDebounceValue } from 'usehooks-ts'

export function Nickname({ first = 'Ada' }: { first?: string }) {
  const [nickname, setNickname] = useDebounceValue(first, 500)
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
