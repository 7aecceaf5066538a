/**
 * Calls `end` when this task is over, unless it `isBack` by then: StrictMode and Fast Refresh take every effect of a component
 * back and make it again in the same task, and nothing was left.
 */
export function unlessBack(isBack: () => boolean, end: () => void): void {
  void Promise.resolve().then(() => {
    if (!isBack()) end()
  })
}
