import { useDebouncedAsync } from 'lull'
import { useState } from 'react'

/** A like button: it shows each click at once and saves the last state. */
export function LikeButton({
  isLiked,
  save,
}: {
  isLiked: boolean
  save: (isLiked: boolean) => Promise<void>
}) {
  const [shown, setShown] = useState(isLiked)
  const { run, error } = useDebouncedAsync(
    (_signal, next: boolean) => save(next),
    500,
    { overlap: 'queue', onUnmount: 'flush' },
  )

  function toggle(): void {
    setShown(!shown)
    void run(!shown)
  }
  return (
    <>
      <button aria-pressed={shown} onClick={toggle}>
        {shown ? 'Liked' : 'Like'}
      </button>
      {error !== undefined && (
        <p role="alert">
          Not saved.{' '}
          <button onClick={() => void run(shown)}>Try again</button>
        </p>
      )}
    </>
  )
}
