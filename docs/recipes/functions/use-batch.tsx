import { useBatch } from 'lull'
import { useState } from 'react'

/** Marks messages as read, up to 20 in one request. */
export function Messages({
  texts,
  markRead,
}: {
  texts: readonly string[]
  markRead: (read: string[]) => Promise<void>
}) {
  const [failed, setFailed] = useState(false)
  const { add } = useBatch(markRead, {
    wait: 500,
    maxSize: 20,
    key: (text) => text,
    onUnmount: 'flush',
  })
  return (
    <>
      <ul>
        {texts.map((text) => (
          <li
            key={text}
            onMouseEnter={() =>
              void add(text).catch(() => setFailed(true))
            }
          >
            {text}
          </li>
        ))}
      </ul>
      <output>{failed ? 'Some messages stay marked as new.' : ''}</output>
    </>
  )
}
