import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { candidates } from '../../src/scenario/candidate.ts'
import { parseInventory } from '../../src/scenario/clause.ts'
import {
  numbersIn,
  placed,
  placesOf,
  quotable,
  quotationFaults,
  shares
} from '../../src/scenario/quotation.ts'

const document = quotable(
  '# Names\n\nA name has at most\n40 characters. It is kept.\n\n| name | 40 |\n\nIt is kept.\n',
  'limits.md'
)
const inventoryOf = (...clauses: object[]) =>
  parseInventory(
    JSON.stringify(
      clauses.map((one) => ({ id: 'a', kind: 'limit', documented: '40', ...one })),
      null,
      1
    ),
    'clauses.json'
  )
const faultsOf = (clause: object) =>
  quotationFaults(inventoryOf({ section: 'names', lines: '3-4', ...clause }), document)

test('a quotation is found wherever lines are broken, with section and lines', () => {
  expect(placesOf('at most 40 characters.', document)).toEqual([{ section: 'names', lines: '3-4' }])
  expect(placesOf('A name has', document)).toEqual([{ section: 'names', lines: '3' }])
  expect(placesOf('It is kept.', document).map(({ lines }) => lines)).toEqual(['4', '8'])
  expect(placesOf('characters. It is lost', document)).toEqual([])
})

test('what is written down of section and lines does not count, what is found does', () => {
  const { inventory } = placed(
    inventoryOf({ quote: 'A name has', section: 'old', lines: '77' }, { id: 'b', lines: '9' }),
    document
  )
  expect(inventory.get('a')).toMatchObject({ section: 'names', lines: '3' })
  expect(inventory.get('b')).toMatchObject({ section: '', lines: '9' })
})

test.each([
  [{ quote: 'at most 40 characters.' }, undefined],
  [{}, undefined],
  [
    { quote: 'A name has at most 50 characters.' },
    'quotes "A name has at most 50 characters.", which limits.md does not say; ' +
      'nearest, in line 3: "A name has at most 40 characters. It is kept."'
  ],
  [{ quote: 'wholly other words' }, 'quotes "wholly other words", which limits.md does not say'],
  [
    { quote: 'It is kept.' },
    'quotes "It is kept.", which limits.md says more than once, in lines 4, 8: quote more'
  ],
  [{ quote: 'A name has', lines: '3' }, 'says 40, but quotes "A name has"'],
  [
    { quote: 'at most 40 characters.', lines: '12' },
    'stands at names:3-4, and clauses.json says names:12'
  ]
])('%j: %s', (clause, because) => {
  expect(faultsOf(clause)).toEqual(because === undefined ? [] : [{ clause: 'a', because }])
})

test('a quotation has words', () => {
  expect(() => inventoryOf({ quote: ' ' })).toThrow('must be words of the document')
})

test.each([
  ['1,000 requests a minute', [1_000]],
  ['100,000 in 3.5 s, six at once', [100_000, 3.5, 6]],
  ['none', []]
])('the numbers in "%s"', (text, numbers) => {
  expect(numbersIn(text)).toEqual(numbers)
})

describe('the edge platform’s document', () => {
  const read = (file: string) => readFileSync(`scenarios/${file}`, 'utf8')
  const text = read('document.md')
  const lines = text.split('\n')
  const inventory = parseInventory(read('clauses.json'), 'clauses.json')
  const own = quotable(text, 'document.md')

  test('every clause quotes it, once and literally, in the line and section it names', () => {
    const all = [...inventory.values()]
    expect(all.filter(({ quote }) => quote === undefined).map(({ id }) => id)).toEqual([])
    expect(quotationFaults(inventory, own)).toEqual([])
    const lost = all.filter(({ quote, lines: line }) => !lines[Number(line) - 1]?.includes(quote!))
    expect(lost.map(({ id }) => id)).toEqual([])
  })

  test('no two clauses quote the same words', () => {
    const quotes = [...inventory.values()].map(({ quote }) => quote)
    expect(quotes.filter((quote, index) => quotes.indexOf(quote) !== index)).toEqual([])
  })

  test('every number of a limit is in the words it quotes', () => {
    const limits = [...inventory.values()].filter(({ kind }) => kind === 'limit')
    expect(limits.length).toBeGreaterThanOrEqual(61)
    for (const { id, documented, quote } of limits) {
      expect(numbersIn(quote!), id).toEqual(expect.arrayContaining(numbersIn(documented)))
    }
  })

  test('what it leaves open is said where it lists that, and nothing else is', () => {
    const listed = /^(?:[\w-]+-left-open|unusual-requests|beyond-a-limit|limits-without-a-number)$/
    for (const { id, kind, section } of inventory.values()) {
      expect(listed.test(section), id).toBe(kind === 'unspecified')
    }
    const { stated, open, quoted } = shares(inventory)
    expect(stated + open).toBe(inventory.size)
    expect(quoted).toBe(inventory.size)
  })

  test('its limits are found in it, 95 in 100 and more', () => {
    const found = candidates(own).map(({ quote }) => quote)
    const limits = [...inventory.values()].filter(({ kind }) => kind === 'limit')
    const hits = limits.filter(({ quote }) => found.some((one) => one.includes(quote!)))
    expect(hits.length / limits.length).toBeGreaterThanOrEqual(0.95)
  })

  test('what it links to within itself and beside it is there', () => {
    const sections = new Set(own.passages.map(({ section }) => section))
    const parents = ['page-protection', 'log-push', 'limits-of-requests', 'limits-of-functions']
    const links = [...text.matchAll(/\]\(#([^)]+)\)/g)].map(([, link]) => link!)
    expect(links.filter((link) => !sections.has(link) && !parents.includes(link))).toEqual([])
  })
})
