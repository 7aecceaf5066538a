import { useEffect, useState, type RefObject } from 'react'

/** An object of the page, a ref to it, or a function that finds it and is never called on a server. */
export type TargetSource<Target> =
  | Target
  | { readonly current: Target | null | undefined }
  | (() => Target | null | undefined)
  | null
  | undefined

type Connect<Target> = (target: Target) => () => void

function find<Target extends object>(source: TargetSource<Target>): Target | null | undefined {
  if (typeof source === 'function') return source()
  // A window may have a member `current` too: it has one for each id of its page.
  const isTarget = !source || 'addEventListener' in source
  return isTarget ? (source as Target | null | undefined) : (source as RefObject<Target>).current
}

function createConnection<Target>(): {
  to: (target: Target | null | undefined, connect: Connect<Target>) => void
  close: () => void
} {
  let last: [target: Target | null | undefined, connect: Connect<Target>] | undefined
  let disconnect: (() => void) | undefined

  function close(): void {
    disconnect?.()
    last = disconnect = undefined
  }
  return {
    to(target, connect) {
      if (last && target === last[0] && connect === last[1]) return
      close()
      last = [target, connect]
      disconnect = target ? connect(target) : undefined
    },
    close,
  }
}

/** Connects the target of `source` as of the last commit; `connect` returns the disconnect function. */
export function useConnection<Target extends object>(
  source: TargetSource<Target>,
  connect: Connect<Target>,
): void {
  const [connection] = useState(createConnection<Target>)
  // Runs at every commit, because a ref changes without notice; and after the layout effects, because
  // React sets the refs of surrounding elements last.
  useEffect(() => connection.to(find(source), connect))
  useEffect(() => connection.close, [connection])
}
