import * as hooks from 'lull'
import * as core from 'lull/core'
import * as fetches from 'lull/fetch'
import * as redis from 'lull/redis'
import * as tabs from 'lull/tabs'
import * as testing from 'lull/testing'
import { expect, it } from 'vitest'
import { pages, read } from './markdown.ts'

const headings = pages
  .filter((page) => page.startsWith('docs/functions/'))
  .map((page) => /^# (.*)$/m.exec(read(page))![1]!)

it.each(Object.entries({ hooks, core, fetches, redis, tabs, testing }))(
  'every export of the %s is in the heading of exactly one page',
  (_, entry) => {
    const pagesOf = (name: string) => headings.filter((heading) => heading.match(/\w+/g)!.includes(name))
    for (const name of Object.keys(entry)) expect(pagesOf(name), name).toHaveLength(1)
  },
)
