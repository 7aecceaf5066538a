import { useDebouncedCallback, useIsPending, type Pending } from 'lull'

/** Shows "not saved yet". Only `Unsaved` renders for it, not the form. */
export function Title({ save }: { save: (title: string) => void }) {
  const saveSoon = useDebouncedCallback(save, 1000)
  return (
    <form onSubmit={(event) => event.preventDefault()}>
      <input
        aria-label="Title"
        onChange={(event) => saveSoon(event.target.value)}
      />
      <Unsaved saving={saveSoon} />
    </form>
  )
}

function Unsaved({ saving }: { saving: Pending }) {
  return <output>{useIsPending(saving) ? 'not saved yet' : ''}</output>
}
