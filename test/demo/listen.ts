import type { Page } from 'playwright-core'

/** What an element says from now on, each text once: read as `said` in the page. */
export const listen = (page: Page, selector: string) =>
  page.evaluate((selector) => {
    const element = document.querySelector(selector)!
    const said: string[] = []
    Object.assign(globalThis, { said })
    const note = () => {
      const text = element.textContent
      if (said.at(-1) !== text) said.push(text)
    }
    new MutationObserver(note).observe(element, { subtree: true, childList: true, characterData: true })
  }, selector)

/** All that it said since. */
export const said = (page: Page) => page.evaluate<string[]>('said')
