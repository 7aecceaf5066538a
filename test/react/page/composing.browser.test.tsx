// An input method as the browser runs one: which events it sends, and in which order, is the browser's to say.
// Real time: waiting is for what happens, not for a number of milliseconds.
import { render, screen } from '@testing-library/react'
import { debounce } from 'lull/core'
import { afterEach, expect, it, vi } from 'vitest'
import { cdp, userEvent } from 'vitest/browser'
import { SearchField } from '../../../docs/recipes/search-field.tsx'

afterEach(() => vi.restoreAllMocks())

interface InputMethod {
  send: (method: string, params: Record<string, unknown>) => Promise<unknown>
}

it('searches once, for the final text, when words are composed', async () => {
  const sent = vi.spyOn(window, 'fetch').mockImplementation((input) => {
    const { searchParams } = new URL(input instanceof Request ? input.url : input, location.href)
    return Promise.resolve(Response.json([`found ${searchParams.get('q')!}`]))
  })
  const events: string[] = []
  for (const type of ['compositionstart', 'compositionend', 'input'])
    document.addEventListener(type, () => events.push(type), true)
  const { send } = cdp() as unknown as InputMethod
  const compose = (text: string): Promise<unknown> =>
    send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length })

  render(<SearchField url="/search" />)
  await userEvent.click(screen.getByLabelText('Search'))
  for (const text of ['k', 'き', 'きょ', 'きょう', 'きょうt', 'きょうと']) await compose(text)
  // Longer than the wait: a pause in the midst of a word is not its end.
  await new Promise<void>((resolve) => debounce(resolve, 400)())
  expect(sent).not.toHaveBeenCalled()
  await send('Input.insertText', { text: '京都' })
  await screen.findByText('found 京都')
  expect(sent).toHaveBeenCalledTimes(1)
  expect(events[0]).toBe('compositionstart')
  expect(events).toContain('compositionend')
})
