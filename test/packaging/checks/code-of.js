import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../../..')

/** The blocks of code of a page of the repository, with their languages. */
export const codeOf = (page) =>
  Array.from(
    readFileSync(join(root, page), 'utf8').matchAll(/^```(\w+)\n(.*?)^```$/gms),
    ([, language, code]) => ({ language, code }),
  )
