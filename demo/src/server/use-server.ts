import { useEffect, useEffectEvent, useState } from 'react'
import { useThrottledCallback } from 'lull'
import { createQueue, systemClock } from 'lull/core'
import type { RefuseOrder, Settings } from '../../server/api.ts'
import { callServer } from './call-server.ts'
import type { EventLog } from '../status/event-log.ts'
import { changedSettings } from '../settings/changed-settings.ts'
import { useSettings, useSettingsStore } from '../settings/settings-provider.tsx'

const REFUSE_MS = 3000

export interface Server {
  settings: Settings
  /** Whether the settings were loaded from the server. */
  isKnown: boolean
  change: (changes: Partial<Settings>) => void
  /** Makes the server refuse this page's searches for 3 s from the next one, so that there is time to type. */
  refuse: () => void
  /** 3 s after that order, an instant of the clock. */
  refusesUntil: number | undefined
  isUnreachable: boolean
  reload: () => void
}

/** Reads and changes the server's settings for `client`. `log` tells when the server can be reached again. */
export function useServer(client: string, log: EventLog): Server {
  const store = useSettingsStore()
  const [settings, setSettings] = useSettings('server')
  const [isKnown, setIsKnown] = useState(false)
  const [refusesUntil, setRefusesUntil] = useState<number>()
  const [isUnreachable, setIsUnreachable] = useState(false)
  const [loads, setLoads] = useState(0)
  const [{ add }] = useState(() => createQueue({ concurrency: 1 }))
  const path = `/api/settings?client=${client}`

  async function send<Body>(path: string, init: RequestInit): Promise<Body | undefined> {
    try {
      const body = await add(() => callServer<Body>(path, init))
      setIsUnreachable(false)
      return body
    } catch {
      setIsUnreachable(true)
      return undefined
    }
  }

  const save = useThrottledCallback(
    (next: Settings) => void send(path, { method: 'PUT', body: JSON.stringify(next) }),
    200,
  )

  const load = useEffectEvent((loaded: Settings) => {
    const changed = changedSettings('server', store.read().server)
    setIsKnown(true)
    setIsUnreachable(false)
    setSettings({ ...loaded, ...changed })
    // Settings of a link, or from before a restart of the server.
    if (Object.keys(changed).length > 0) save({ ...loaded, ...changed })
  })

  useEffect(() => {
    const controller = new AbortController()
    callServer<Settings>(path, { signal: controller.signal }).then(
      (loaded) => load(loaded),
      () => !controller.signal.aborted && setIsUnreachable(true),
    )
    return () => controller.abort()
  }, [path, loads])

  useEffect(() => {
    if (!isUnreachable) return
    return log.subscribe(() => {
      if (log.entries().at(-1)?.type === 'response') setLoads((times) => times + 1)
    })
  }, [isUnreachable, log])

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
      void send(`/api/settings/refuse?client=${client}`, init).then(
        (body) => body && setRefusesUntil(systemClock.now() + REFUSE_MS),
      )
    },
    refusesUntil,
    isUnreachable,
    reload: () => setLoads((times) => times + 1),
  }
}
