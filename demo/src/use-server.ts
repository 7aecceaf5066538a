import { useEffect, useState } from 'react'
import { useThrottledCallback } from 'lull'
import { systemClock } from 'lull/core'
import type { RefuseOrder, Settings } from '../server/api.ts'
import { callServer } from './call-server.ts'
import { createTurns } from './turns.ts'

const REFUSE_MS = 3000

export interface Server {
  /** Undefined until the server has told them. */
  settings: Settings | undefined
  change: (changes: Partial<Settings>) => void
  /** Makes the server refuse this page's searches for 3 s. */
  refuse: () => void
  /** The clock's instant until which it does. */
  refusesUntil: number | undefined
  isUnreachable: boolean
  reload: () => void
}

/** How the server treats `client`, and the means to change that. */
export function useServer(client: string): Server {
  const [settings, setSettings] = useState<Settings>()
  const [refusesUntil, setRefusesUntil] = useState<number>()
  const [isUnreachable, setIsUnreachable] = useState(false)
  const [loads, setLoads] = useState(0)
  const [inTurn] = useState(createTurns)
  const path = `/api/settings?client=${client}`

  async function tell<Answer>(path: string, init: RequestInit): Promise<Answer | undefined> {
    try {
      const answer = await inTurn(() => callServer<Answer>(path, init))
      setIsUnreachable(false)
      return answer
    } catch {
      setIsUnreachable(true)
      return undefined
    }
  }

  const save = useThrottledCallback(
    (changed: Settings) => void tell(path, { method: 'PUT', body: JSON.stringify(changed) }),
    200,
  )

  useEffect(() => {
    const life = new AbortController()
    callServer<Settings>(path, { signal: life.signal }).then(
      (loaded) => {
        setSettings(loaded)
        setIsUnreachable(false)
      },
      () => !life.signal.aborted && setIsUnreachable(true),
    )
    return () => life.abort()
  }, [path, loads])

  return {
    settings,
    change(changes) {
      if (!settings) return
      const changed = { ...settings, ...changes }
      setSettings(changed)
      save(changed)
    },
    refuse() {
      const order: RefuseOrder = { ms: REFUSE_MS }
      const init = { method: 'POST', body: JSON.stringify(order) }
      void tell(`/api/settings/refuse?client=${client}`, init).then(
        (answer) => answer && setRefusesUntil(systemClock.now() + REFUSE_MS),
      )
    },
    refusesUntil,
    isUnreachable,
    reload: () => setLoads((times) => times + 1),
  }
}
