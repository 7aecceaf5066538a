import { useSyncExternalStore, type MouseEvent, type ReactNode } from 'react'
import { useSettingsStore } from '../settings/settings-provider.tsx'

/** Scrolls to the race, and keeps the settings in the address. */
export function RaceLink({ className, children }: { className?: string; children: ReactNode }): ReactNode {
  const store = useSettingsStore()
  const href = useSyncExternalStore(store.subscribe, () => store.link('race'))
  return (
    <a className={className} href={href} onClick={toRace}>
      {children}
    </a>
  )
}

function toRace(event: MouseEvent): void {
  event.preventDefault()
  const race = document.getElementById('race')!
  race.scrollIntoView()
  // Tab goes on from here.
  race.focus({ preventScroll: true })
}
