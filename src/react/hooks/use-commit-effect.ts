import { useEffect, useLayoutEffect } from 'react'

/**
 * An effect that runs in the commit itself, before any timer or event: what a component may call from its own layout effects
 * is ready then. On a server, where React 18 warns of layout effects, one that never runs.
 */
export const useCommitEffect: typeof useLayoutEffect =
  typeof window === 'undefined' ? useEffect : useLayoutEffect
