import { inject, expect, it } from 'vitest'
import { pageHeaders } from '../../../demo/server/page-headers.ts'
import { open } from '../page-fixture.ts'

it('serves the page with the policy of the built one, which allows no inline code', async () => {
  const { headers } = await fetch(inject('demoUrl'))
  expect(headers.get('Content-Security-Policy')).toBe(pageHeaders['Content-Security-Policy'])
  expect(pageHeaders['Content-Security-Policy']).toMatch(/script-src 'self';/)
  expect(pageHeaders['Content-Security-Policy']).not.toMatch(/unsafe|\*|data:|blob:/)
})

it('says in the console what the policy forbids, which fails any test of the page', async () => {
  const { page, problems } = await open()
  expect(problems).toEqual([])
  const ran = await page.evaluate(() => {
    const script = document.createElement('script')
    let isText = true
    try {
      script.textContent = 'globalThis.hasRun = true'
    } catch {
      // Trusted Types reject plain text as script.
      isText = false
    }
    document.body.append(script)
    const image = document.body.appendChild(new Image())
    image.setAttribute('style', 'color: red')
    return { isText, hasRun: 'hasRun' in globalThis, color: image.style.color }
  })
  expect(ran).toEqual({ isText: false, hasRun: false, color: '' })
  await expect.poll(() => problems.length).toBeGreaterThan(1)
  expect(problems.splice(0).join()).toMatch(/Content Security Policy|TrustedScript/)
})
