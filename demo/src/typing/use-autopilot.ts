import { useEffect, useEffectEvent, useState } from 'react'
import { playBack } from './play-back.ts'
import { typingScript } from './typing-script.ts'

interface Actions {
  type: (text: string) => void
  refuse: () => void
}

/** Types the script while `isOn`, until its end. Starts on load with `?autopilot` in the URL. */
export function useAutopilot(actions: Actions) {
  const [isOn, setIsOn] = useState(() => new URLSearchParams(location.search).has('autopilot'))
  const type = useEffectEvent(actions.type)
  const refuse = useEffectEvent(actions.refuse)

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
