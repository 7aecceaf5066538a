import { act, fireEvent, render, screen } from '@testing-library/react'
import { ClockProvider, useDebouncedCallback } from 'lull'
import { createManualClock } from 'lull/testing'
import { expect, it } from 'vitest'

function Search({ onSearch }: { onSearch: (text: string) => void }) {
  const search = useDebouncedCallback(onSearch, 300)
  return (
    <input
      aria-label="Search"
      onChange={(event) => search(event.target.value)}
    />
  )
}

it('searches for the last text, 300 ms after it', () => {
  const clock = createManualClock()
  const searched: string[] = []
  render(
    <ClockProvider clock={clock}>
      <Search onSearch={(text) => searched.push(text)} />
    </ClockProvider>,
  )
  for (const value of ['l', 'lu', 'lull']) {
    fireEvent.change(screen.getByLabelText('Search'), {
      target: { value },
    })
    act(() => clock.advance(100))
  }
  act(() => clock.advance(199))
  expect(searched).toEqual([])
  act(() => clock.advance(1))
  expect(searched).toEqual(['lull'])
})
