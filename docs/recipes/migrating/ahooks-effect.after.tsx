import { useDebounce } from 'lull'
import { useEffect, useState } from 'react'

export function Room({ enter }: { enter: (room: string) => () => void }) {
  const [room, setRoom] = useState('hall')
  const debounced = useDebounce(room, 1000)
  useEffect(() => enter(debounced), [enter, debounced])
  return (
    <input
      aria-label="Room"
      value={room}
      onChange={(event) => setRoom(event.target.value)}
    />
  )
}
