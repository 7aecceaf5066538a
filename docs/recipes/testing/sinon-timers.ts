import FakeTimers from '@sinonjs/fake-timers'
import { debounce } from 'lull/core'
import { expect, it } from 'vitest'

it('runs a second after the last call, on the timers of Sinon', () => {
  const clock = FakeTimers.install()
  const saved: string[] = []
  const saveLater = debounce((text: string) => saved.push(text), 1000)
  saveLater('h')
  clock.tick(500)
  saveLater('hi')
  clock.tick(999)
  expect(saved).toEqual([])
  clock.tick(1)
  expect(saved).toEqual(['hi'])
  clock.uninstall()
})
