/**
 * A queue on a binary heap. It runs one task at a time, the most urgent first, equally urgent ones in order; an abort removes
 * one. It is paused until `run`, which resolves when nothing waits.
 */
export function createQueue() {
  const items = []
  let added = 0
  const isBefore = (a, b) => a.priority > b.priority || (a.priority === b.priority && a.rank < b.rank)

  function put(item, place) {
    items[place] = item
    item.place = place
  }

  function rise(item, place) {
    for (let above; place > 0 && isBefore(item, items[(above = (place - 1) >> 1)]); place = above)
      put(items[above], place)
    put(item, place)
  }

  function sink(item, place) {
    for (let below; (below = 2 * place + 1) < items.length; place = below) {
      if (below + 1 < items.length && isBefore(items[below + 1], items[below])) below++
      if (!isBefore(items[below], item)) break
      put(items[below], place)
    }
    put(item, place)
  }

  function remove(item) {
    const last = items.pop()
    if (last === item) return
    sink(last, item.place)
    rise(last, last.place)
  }

  return {
    get size() {
      return items.length
    },
    add: (task, { priority = 0, signal } = {}) =>
      new Promise((resolve, reject) => {
        const item = { task, priority, rank: added++, place: -1, resolve, reject, signal, leave: undefined }
        if (signal) {
          item.leave = () => {
            remove(item)
            reject(signal.reason)
          }
          signal.addEventListener('abort', item.leave, { once: true })
        }
        rise(item, items.length)
      }),
    async run() {
      while (items.length > 0) {
        const item = items[0]
        remove(item)
        item.signal?.removeEventListener('abort', item.leave)
        try {
          item.resolve(await item.task())
        } catch (error) {
          item.reject(error)
        }
      }
    },
  }
}
