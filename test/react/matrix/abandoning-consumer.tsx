// A component as users write one. In some projects React Compiler compiles this file, and the hooks.
import { useDebounce, useDebouncedCallback } from 'lull'
import { lazy, Suspense, useEffect, useState, type ReactNode } from 'react'
import type { Logging } from './value-consumers.tsx'

const Never = lazy(() => new Promise<never>(() => undefined))

interface Props extends Logging {
  onPage: (set: (page: string) => void) => void
  onShown: (text: string) => void
}

/** A render of the page 'never' does not come to an end. */
export function Abandoning({ log, onPage, onShown }: Props): ReactNode {
  const [page, setPage] = useState('first')
  const rested = useDebounce(page, 100)
  const call = useDebouncedCallback(() => log(`called on ${page}`), 100)
  useEffect(() => {
    onPage(setPage)
  }, [onPage])
  useEffect(() => {
    onShown(rested)
  }, [onShown, rested])
  return (
    <>
      <button onClick={call}>Call</button>
      <p>{rested}</p>
      <Suspense>{page === 'never' && <Never />}</Suspense>
    </>
  )
}
