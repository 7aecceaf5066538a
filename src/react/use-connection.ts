import { useEffect, useState } from 'react'

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
  return source && 'current' in source ? source.current : source
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

/** Keeps `connect` in force for the target that `source` stands for in the last commit. What it returns disconnects. */
export function useConnection<Target extends object>(
  source: TargetSource<Target>,
  connect: Connect<Target>,
): void {
  const [connection] = useState(createConnection<Target>)
  // At every commit, for what a ref refers to changes without notice; and after the layout effects, for the refs of the
  // elements around the component are set last.
  useEffect(() => connection.to(find(source), connect))
  useEffect(() => connection.close, [connection])
}
