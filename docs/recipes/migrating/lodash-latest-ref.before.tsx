import debounce from 'lodash/debounce'
import { useEffect, useRef } from 'react'

export function Letter({ save }: { save: (text: string) => void }) {
  const latest = useRef(save)
  const saveSoon = useRef(
    debounce((text: string) => latest.current(text), 300),
  )
  useEffect(() => {
    latest.current = save
  })
  useEffect(() => {
    const { current } = saveSoon
    return () => {
      current.flush()
    }
  }, [])
  return (
    <textarea
      aria-label="Text"
      onChange={(event) => saveSoon.current(event.target.value)}
    />
  )
}
