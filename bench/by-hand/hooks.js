import { useEffect, useRef, useState } from 'react'
import { debounce } from './debounce.js'

/** Returns `value` after it has not changed for `wait` ms. */
export function useDebounce(value, wait) {
  const [shown, setShown] = useState(value)
  useEffect(() => {
    if (Object.is(value, shown)) return
    const timer = setTimeout(() => setShown(value), wait)
    return () => clearTimeout(timer)
  }, [value, shown, wait])
  return shown
}

/** Returns the same function for the component's life. It runs the callback of the last commit, and nothing after unmount. */
export function useDebouncedCallback(fn, wait) {
  const latest = useRef(fn)
  const timer = useRef(undefined)
  useEffect(() => {
    latest.current = fn
  })
  useEffect(() => () => clearTimeout(timer.current), [])
  const [debounced] = useState(
    () =>
      function (...args) {
        clearTimeout(timer.current)
        timer.current = setTimeout(() => latest.current.apply(this, args), wait)
      },
  )
  return debounced
}

/** The same with the debounce that sets no timer for each call, to compare calls. */
export function useLazyDebouncedCallback(fn, wait) {
  const latest = useRef(fn)
  useEffect(() => {
    latest.current = fn
  })
  const [debounced] = useState(() =>
    debounce(function (...args) {
      latest.current.apply(this, args)
    }, wait),
  )
  return debounced
}
