import { useEffect, useEffectEvent, useState } from 'react'
import { useThrottledCallback } from 'lull'
import { systemClock } from 'lull/core'
import type { RefuseOrder, Settings } from '../../server/api.ts'
import { callServer } from './call-server.ts'
import { saidOf } from '../settings/said-of.ts'
import { useSettings, useSettingsStore } from '../settings/settings-provider.tsx'
import { createTurns } from './turns.ts'

const REFUSE_MS = 3000

export interface Server {
  settings: Settings
  /** Whether the server has told them, or was told them. */
  isKnown: boolean
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
  const store = useSettingsStore()
  const [settings, setSettings] = useSettings('server')
  const [isKnown, setIsKnown] = useState(false)
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

  const load = useEffectEvent((loaded: Settings) => {
    const said = saidOf('server', store.read().server)
    setIsKnown(true)
    setIsUnreachable(false)
    setSettings({ ...loaded, ...said })
    // Of a link, or before the server was started anew.
    if (Object.keys(said).length > 0) save({ ...loaded, ...said })
  })

  useEffect(() => {
    const life = new AbortController()
    callServer<Settings>(path, { signal: life.signal }).then(
      (loaded) => load(loaded),
      () => !life.signal.aborted && setIsUnreachable(true),
    )
    return () => life.abort()
  }, [path, loads])

  return {
    settings,
    isKnown,
    change(changes) {
      setSettings(changes)
      save({ ...settings, ...changes })
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
