import { useEffect, useState, type RefObject } from 'react'

/** An object of the page, a ref to it, or a function that returns it. The function is never called on a server. */
export type TargetSource<Target> =
  | Target
  | { readonly current: Target | null | undefined }
  | (() => Target | null | undefined)
  | null
  | undefined

type Connect<Target> = (target: Target) => () => void

function find<Target extends object>(source: TargetSource<Target>): Target | null | undefined {
  if (typeof source === 'function') return source()
  // A window may have a member `current` too, as it has one for each id of its page.
  const isTarget = !source || 'addEventListener' in source
  return isTarget ? (source as Target | null | undefined) : (source as RefObject<Target>).current
}

/** Returns a function that replaces the connection if an argument has changed. Without arguments it only disconnects. */
function createConnection<Target>(): (target?: Target | null, connect?: Connect<Target>) => void {
  let lastTarget: Target | null | undefined
  let lastConnect: Connect<Target> | undefined
  let disconnect: (() => void) | undefined

  return (target, connect) => {
    if (target === lastTarget && connect === lastConnect) return
    disconnect?.()
    lastTarget = target
    lastConnect = connect
    disconnect = target ? connect!(target) : undefined
  }
}

/** Keeps the target that `source` has at the last commit connected. `connect` returns a function that disconnects. */
export function useConnection<Target extends object>(
  source: TargetSource<Target>,
  connect: Connect<Target>,
): void {
  const [connectTo] = useState(createConnection<Target>)
  // Runs at every commit, because a ref changes without notice. Runs after the layout effects, because React
  // sets the refs of surrounding elements last.
  useEffect(() => connectTo(find(source), connect))
  useEffect(() => () => connectTo(), [connectTo])
}
