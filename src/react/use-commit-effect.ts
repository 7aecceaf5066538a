import { useEffect, useLayoutEffect } from 'react'

/**
 * An effect that runs, and is cleaned up, in the commit itself: what is pending ends with its component, not some
 * time later. On a server, where React 18 warns of layout effects, one that never runs.
 */
export const useCommitEffect: typeof useLayoutEffect =
  typeof window === 'undefined' ? useEffect : useLayoutEffect
