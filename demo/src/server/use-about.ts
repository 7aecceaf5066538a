import { useEffect, useState } from 'react'
import type { AboutResponse } from '../../server/api.ts'
import { callServer } from './call-server.ts'

/** The source of the city data; undefined until it is loaded. */
export function useAbout(): AboutResponse | undefined {
  const [about, setAbout] = useState<AboutResponse>()
  useEffect(() => {
    const controller = new AbortController()
    callServer<AboutResponse>('/api/about', { signal: controller.signal }).then(setAbout, () => undefined)
    return () => controller.abort()
  }, [])
  return about
}
