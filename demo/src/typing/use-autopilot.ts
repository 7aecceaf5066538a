import { useEffect, useEffectEvent, useState } from 'react'
import { playBack } from './play-back.ts'
import { typingScript } from './typing-script.ts'

interface Hands {
  type: (text: string) => void
  refuse: () => void
}

/** Types by itself while `isOn`: from the start with `?autopilot` in the URL, and until the recording ends. */
export function useAutopilot(hands: Hands) {
  const [isOn, setIsOn] = useState(() => new URLSearchParams(location.search).has('autopilot'))
  const type = useEffectEvent(hands.type)
  const refuse = useEffectEvent(hands.refuse)

  useEffect(() => {
    if (!isOn) return
    return playBack(typingScript, {
      type: (text) => type(text),
      refuse: () => refuse(),
      end: () => setIsOn(false),
    })
  }, [isOn])

  return { isOn, start: () => setIsOn(true), stop: () => setIsOn(false) }
}
