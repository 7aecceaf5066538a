import { fireEvent, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { Dictionary } from '../../../docs/recipes/functions/composing.tsx'
import { HtmlEditor } from '../../../docs/recipes/functions/use-debounce.tsx'
import { Finder } from '../../../docs/recipes/functions/use-debounced-state.tsx'
import { Price } from '../../../docs/recipes/functions/use-throttle.tsx'
import { modes } from '../../react/support/render-on-clock.tsx'
import { createStage } from './stage.tsx'

describe.each(modes)('values, %s', (mode) => {
  it('useDebounce: the preview follows once typing rests, and every 2 s while it does not', async () => {
    const { clock, show, type, pass, note, log } = createStage(mode)
    show(<HtmlEditor html="" />)
    const preview = screen.getByTitle('Preview')
    new MutationObserver(() => note(preview.getAttribute('srcdoc')!)).observe(preview, {
      attributeFilter: ['srcdoc'],
    })
    for (const text of ['a', 'ab', 'abc', 'abcd', 'abcde', 'abcdef', 'abcdefg']) {
      type('HTML', text)
      await pass(400)
    }
    expect(preview.getAttribute('aria-busy')).toBe('true')
    await pass(1000)
    expect(preview.getAttribute('aria-busy')).toBe('false')
    expect(log).toEqual(['2000 abcde', '2900 abcdefg'])
    expect(clock.pending).toBe(0)
  })

  it('useThrottle: the price changes once a second, the last time to the last price', async () => {
    const { clock, show, pass, log } = createStage(mode)
    for (let cents = 100; cents < 110; cents++) {
      show(<Price cents={cents} />)
      await pass(150)
    }
    await pass(2000)
    expect(log).toEqual(['0 "1.00 €"', '150 "1.01 €"', '1150 "1.07 €"', '2200 "1.09 €"'])
    expect(clock.pending).toBe(0)
  })

  it('useDebouncedState: finds once typing rests, at once on Enter, and not after Escape', async () => {
    const { clock, show, type, pass, log } = createStage(mode)
    show(<Finder find={(text) => `found ${text}`} />)
    const field = screen.getByLabelText('Find')
    for (const text of ['p', 'pa']) {
      type('Find', text)
      await pass(200)
    }
    await pass(200)
    type('Find', 'par')
    fireEvent.keyDown(field, { key: 'Enter' })
    await pass(100)
    type('Find', 'pari')
    fireEvent.keyDown(field, { key: 'Escape' })
    await pass(900)
    type('Find', '')
    await pass(500)
    expect(log).toEqual(['500 "found pa"', '610 "found par"', '1600 nothing'])
    expect(clock.pending).toBe(0)
  })

  it('composing: nothing is looked up until the input method has composed the word', async () => {
    const { clock, show, type, pass, log } = createStage(mode)
    show(<Dictionary lookUp={(word) => word.toUpperCase()} />)
    const field = screen.getByLabelText('Word')
    fireEvent.compositionStart(field)
    type('Word', 'きょ')
    await pass(1000)
    type('Word', 'きょう')
    await pass(100)
    fireEvent.compositionEnd(field)
    type('Word', '京')
    await pass(1000)
    type('Word', 'kyoto')
    await pass(1000)
    expect(log).toEqual(['1350 "京"', '2350 "KYOTO"'])
    expect(clock.pending).toBe(0)
  })
})
