import { useDebounce } from 'lull'
import { version } from 'react'
import { expect, it } from 'vitest'
import { Search } from './value-consumers.tsx'

it('runs with the React, and the compiler, that it says', () => {
  expect(version.split('.')[0]).toBe(process.env['REACT'])
  // A compiled component keeps its parts in numbered places.
  expect(/\$\[0\]/.test(Search.toString())).toBe(process.env['COMPILED'] === 'true')
  expect(/\$\[0\]/.test(useDebounce.toString())).toBe(process.env['COMPILED'] === 'true')
})
