import { useId, type FocusEvent, type ReactNode } from 'react'

interface SearchBoxProps {
  text: string
  onType: (text: string) => void
}

export function SearchBox({ text, onType }: SearchBoxProps): ReactNode {
  const id = useId()
  return (
    <div className="search-box">
      <label htmlFor={id}>Search cities</label>
      <input
        id={id}
        type="search"
        value={text}
        placeholder="San, Köln, new y…"
        maxLength={100}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        onFocus={toTop}
        onChange={(event) => onType(event.target.value)}
      />
    </div>
  )
}

/** On a phone the keyboard takes half of the page: what comes of the search, a pause or an error too, is to be above it. */
function toTop({ currentTarget }: FocusEvent<HTMLElement>): void {
  if (matchMedia('(width < 600px)').matches) currentTarget.closest('section')?.scrollIntoView()
}
