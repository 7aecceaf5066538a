import type { Policy } from 'lull/fetch'

type Channel = Pick<
  BroadcastChannel,
  'postMessage' | 'addEventListener' | 'removeEventListener'
>

interface Pause {
  key: string
  /** Ms since 1970: the monotonic clocks of two tabs do not agree. */
  until: number
}

/** Closes the gate in every tab when a server asks one tab to wait. */
export const sharePauses =
  (channel: Channel = new BroadcastChannel('pauses')): Policy =>
  ({ key, clock, now, close }) => {
    let isListening = false

    function listen({ data }: MessageEvent<Pause>): void {
      if (data.key !== key) return
      isListening = true
      // At most `maxGateMs`, whatever another tab says.
      close(data.until - clock.wall(), 'shared')
      isListening = false
    }

    channel.addEventListener('message', listen)
    return {
      closed(until) {
        // What came from another tab is not sent back.
        if (!isListening)
          channel.postMessage({
            key,
            until: clock.wall() + until - now(),
          } satisfies Pause)
      },
      dispose: () => channel.removeEventListener('message', listen),
    }
  }
