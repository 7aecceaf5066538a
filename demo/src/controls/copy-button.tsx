import type { ReactNode } from 'react'
import { useDebouncedState } from 'lull'

const WORDS_MS = 2500

interface CopyButtonProps {
  label: string
  /** The accessible name. Starts with the label and says what is copied. @default label */
  description?: string
  /** Returns the text or the picture to copy. */
  read: () => string | Promise<Blob>
  /** Shown if copying fails. */
  onFailure: string
  isDisabled?: boolean
}

/** Copies a text or a picture, and briefly shows the result in place of its label. */
export function CopyButton({
  label,
  description = label,
  read,
  onFailure,
  isDisabled = false,
}: CopyButtonProps): ReactNode {
  const [words, setWords] = useDebouncedState('', WORDS_MS)

  async function copy(): Promise<void> {
    try {
      const content = read()
      if (typeof content === 'string') await navigator.clipboard.writeText(content)
      else {
        setWords('Copying…', { immediate: true })
        await navigator.clipboard.write([new ClipboardItem({ 'image/png': content })])
      }
      setWords('Copied', { immediate: true })
    } catch {
      // The page is not on https, or permission is denied.
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
        disabled={isDisabled}
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
