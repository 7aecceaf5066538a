import { useEffect, useRef, useState } from 'react'
import { debounce } from './debounce.js'

/** The value once it rests. */
export function useDebounce(value, wait) {
  const [shown, setShown] = useState(value)
  useEffect(() => {
    if (Object.is(value, shown)) return
    const timer = setTimeout(() => setShown(value), wait)
    return () => clearTimeout(timer)
  }, [value, shown, wait])
  return shown
}

/** One function for the life of the component, which ends with it, and runs the callback of the last commit. */
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

/** The same with the debounce that needs no timer for each call, for the comparison of calls. */
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
