import type { Page } from 'playwright'

/** Records each new text of the elements from now on, as `texts` in the page. */
export const recordTexts = (page: Page, selector: string) =>
  page.evaluate((selector) => {
    const texts: string[] = []
    Object.assign(globalThis, { texts })
    for (const element of document.querySelectorAll(selector)) {
      const record = () => {
        const text = element.textContent
        if (texts.at(-1) !== text) texts.push(text)
      }
      new MutationObserver(record).observe(element, { subtree: true, childList: true, characterData: true })
    }
  }, selector)

export const recordedTexts = (page: Page) => page.evaluate<string[]>('texts')
