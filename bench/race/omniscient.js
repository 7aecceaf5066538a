/** The client that knows the server: it sends as soon as there is a token, in the order of the calls. */
export function makeOmniscient({ fetch, clock, server, url }) {
  const sleep = (ms) => new Promise((resolve) => clock.after(ms, resolve))
  let line = Promise.resolve()
  let sent = 0
  // Like every client, it times a pause by its own clock.
  let pausedUntil = -Infinity

  /** Sends when there is a token. The promise of the response is wrapped, so that the line does not wait for it. */
  async function sendWhenReady() {
    for (;;) {
      const onTheWay = sent - server.received
      const ms = Math.max(server.msUntil(1 + onTheWay), pausedUntil - clock.now())
      if (ms <= 0) break
      // Requests on the way take their tokens when they arrive, which is soon.
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
