import { useBatch } from 'lull'
import { useState } from 'react'

/** Tells the server which messages were read: 20 at most in a request, half a second after the last. */
export function Messages({
  texts,
  tell,
}: {
  texts: readonly string[]
  tell: (read: string[]) => Promise<void>
}) {
  const [failed, setFailed] = useState(false)
  const { add } = useBatch(tell, { wait: 500, maxSize: 20, key: (text) => text, onUnmount: 'flush' })
  return (
    <ul>
      {texts.map((text) => (
        <li key={text} onMouseEnter={() => void add(text).catch(() => setFailed(true))}>
          {text}
        </li>
      ))}
      <output>{failed ? 'Some messages stay marked as new.' : ''}</output>
    </ul>
  )
}
