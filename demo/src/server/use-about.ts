import { useEffect, useState } from 'react'
import type { AboutAnswer } from '../../server/api.ts'
import { callServer } from './call-server.ts'

/** Where the cities are from; undefined until the server has said so. */
export function useAbout(): AboutAnswer | undefined {
  const [about, setAbout] = useState<AboutAnswer>()
  useEffect(() => {
    const life = new AbortController()
    callServer<AboutAnswer>('/api/about', { signal: life.signal }).then(setAbout, () => undefined)
    return () => life.abort()
  }, [])
  return about
}
