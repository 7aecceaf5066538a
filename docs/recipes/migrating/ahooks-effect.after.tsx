import { useDebounce } from 'lull'
import { useEffect, useState } from 'react'

export function Room({ enter }: { enter: (room: string) => () => void }) {
  const [room, setRoom] = useState('hall')
  const rested = useDebounce(room, 1000)
  useEffect(() => enter(rested), [enter, rested])
  return (
    <input
      aria-label="Room"
      value={room}
      onChange={(event) => setRoom(event.target.value)}
    />
  )
}
