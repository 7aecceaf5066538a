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

/** Scrolls the panel to the top on a phone: the keyboard must not cover results, pauses and errors. */
function toTop({ currentTarget }: FocusEvent<HTMLElement>): void {
  if (matchMedia('(width < 37.5em)').matches) currentTarget.closest('section')?.scrollIntoView()
}
