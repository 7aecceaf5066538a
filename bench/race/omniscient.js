/** The client that knows the server: it sends as soon as there is a token, in the order of the calls. */
export function makeOmniscient({ fetch, clock, server, url }) {
  const sleep = (ms) => new Promise((resolve) => clock.after(ms, resolve))
  let line = Promise.resolve()
  let sent = 0
  // It keeps to a pause by its own clock, as everybody does.
  let pausedUntil = -Infinity

  /** Resolves with an answer to come: the line does not wait for it. */
  async function sendWhenReady() {
    for (;;) {
      const onTheWay = sent - server.received
      const ms = Math.max(server.msUntil(1 + onTheWay), pausedUntil - clock.now())
      if (ms <= 0) break
      // What is on the way takes its token when it arrives, which is soon.
      await sleep(onTheWay > 0 ? 1 : ms)
    }
    sent++
    return { answer: fetch(url) }
  }

  return async function call() {
    const turn = line.then(sendWhenReady)
    line = turn
    const { status, headers } = await (await turn).answer
    if (status !== 429) return status
    pausedUntil = clock.now() + Number(headers.get('retry-after')) * 1000
    return call()
  }
}
