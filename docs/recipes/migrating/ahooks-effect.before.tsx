import { useDebounceEffect } from 'ahooks'
import { useState } from 'react'

export function Room({ enter }: { enter: (room: string) => () => void }) {
  const [room, setRoom] = useState('hall')
  useDebounceEffect(() => enter(room), [enter, room], { wait: 1000 })
  return (
    <input
      aria-label="Room"
      value={room}
      onChange={(event) => setRoom(event.target.value)}
    />
  )
}
