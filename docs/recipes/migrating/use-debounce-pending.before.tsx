import { useState } from 'react'
import { useDebouncedCallback } from 'use-debounce'

export function Memo({ save }: { save: (text: string) => void }) {
  const [memo, setMemo] = useState('')
  const saveSoon = useDebouncedCallback(save, 500)
  function type(text: string) {
    setMemo(text)
    saveSoon(text)
  }
  return (
    <label>
      Memo{' '}
      <input value={memo} onChange={(event) => type(event.target.value)} />
      <output>{saveSoon.isPending() ? 'not saved' : 'saved'}</output>
    </label>
  )
}
