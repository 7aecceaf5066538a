import { useDebouncedCallback, useIsPending } from 'lull'
import { useState } from 'react'

export function Memo({ save }: { save: (text: string) => void }) {
  const [memo, setMemo] = useState('')
  const saveSoon = useDebouncedCallback(save, 500)
  const isPending = useIsPending(saveSoon)
  function type(text: string) {
    setMemo(text)
    saveSoon(text)
  }
  return (
    <label>
      Memo{' '}
      <input value={memo} onChange={(event) => type(event.target.value)} />
      <output>{isPending ? 'not saved' : 'saved'}</output>
    </label>
  )
}
