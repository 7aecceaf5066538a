// The shortest functions that keep `this` and all arguments, and set a timer only when none is set.

export function debounce(fn, wait) {
  let timer, lastCall, args, self
  function expire() {
    const rest = lastCall + wait - performance.now()
    if (rest > 0) timer = setTimeout(expire, rest)
    else {
      const [withSelf, withArgs] = [self, args]
      timer = args = self = undefined
      fn.apply(withSelf, withArgs)
    }
  }
  return function (...now) {
    lastCall = performance.now()
    args = now
    self = this
    if (timer === undefined) timer = setTimeout(expire, wait)
  }
}

/** Runs at the first call, at the end of the calls, and at most `maxWait` after the run before. */
export function fullDebounce(fn, wait, maxWait) {
  let timer, lastCall, lastRun, args, self
  function expire() {
    const time = performance.now()
    const rest = Math.min(lastCall + wait, args ? lastRun + maxWait : Infinity) - time
    if (rest > 0) timer = setTimeout(expire, rest)
    else {
      // A run forced by `maxWait` does not end the series of calls.
      const isOver = time >= lastCall + wait
      timer = isOver ? undefined : setTimeout(expire, lastCall + wait - time)
      if (args) {
        const [withSelf, withArgs] = [self, args]
        args = self = undefined
        lastRun = time
        fn.apply(withSelf, withArgs)
      }
    }
  }
  return function (...now) {
    lastCall = performance.now()
    if (timer === undefined) {
      timer = setTimeout(expire, wait)
      lastRun = lastCall
      fn.apply(this, now)
    } else {
      args = now
      self = this
    }
  }
}

export function throttle(fn, wait) {
  let timer, args, self
  let lastRun = -Infinity
  function expire() {
    const [withSelf, withArgs] = [self, args]
    timer = args = self = undefined
    lastRun = performance.now()
    fn.apply(withSelf, withArgs)
  }
  return function (...now) {
    const time = performance.now()
    if (timer === undefined && time - lastRun >= wait) {
      lastRun = time
      fn.apply(this, now)
    } else {
      args = now
      self = this
      if (timer === undefined) timer = setTimeout(expire, lastRun + wait - time)
    }
  }
}
