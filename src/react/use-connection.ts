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

/** Returns a function that connects a target in place of the last one, unless nothing changed; without arguments it disconnects. */
function createConnection<Target>(): (target?: Target | null, connect?: Connect<Target>) => void {
  let lastTarget: Target | null | undefined
  let lastConnect: Connect<Target> | undefined
  let disconnect: (() => void) | undefined

  return (target, connect) => {
    if (target === lastTarget && connect === lastConnect) return
    disconnect?.()
    disconnect = undefined
    lastTarget = target
    lastConnect = connect
    if (target) disconnect = connect?.(target)
  }
}

/** Connects the target of `source` as of the last commit; `connect` returns the disconnect function. */
export function useConnection<Target extends object>(
  source: TargetSource<Target>,
  connect: Connect<Target>,
): void {
  const [connectTo] = useState(createConnection<Target>)
  // Runs at every commit, because a ref changes without notice; and after the layout effects, because
  // React sets the refs of surrounding elements last.
  useEffect(() => connectTo(find(source), connect))
  useEffect(() => () => connectTo(), [connectTo])
}
