import type { ReactNode } from 'react'
import { useDebouncedState } from 'lull'

const WORDS_MS = 2500

interface CopyButtonProps {
  label: string
  /** What it copies, for who does not see where it stands: begins with the label. */
  description: string
  /** A text, or a picture. */
  read: () => string | Promise<Blob>
  /** What it says where copying is not allowed. */
  onFailure: string
}

/** Copies a text or a picture, and says so for a while in the place of its label. */
export function CopyButton({ label, description, read, onFailure }: CopyButtonProps): ReactNode {
  const [words, setWords] = useDebouncedState('', WORDS_MS)

  async function copy(): Promise<void> {
    try {
      const content = read()
      if (typeof content === 'string') await navigator.clipboard.writeText(content)
      else await navigator.clipboard.write([new ClipboardItem({ 'image/png': content })])
      setWords('Copied', { immediate: true })
    } catch {
      // Not on https, or not allowed to.
      setWords(onFailure, { immediate: true })
    }
    setWords('')
  }

  return (
    <>
      <button
        type="button"
        className="button copy"
        aria-label={words ? undefined : description}
        onClick={() => void copy()}
      >
        {words || label}
      </button>
      <span className="visually-hidden" role="status">
        {words}
      </span>
    </>
  )
}
