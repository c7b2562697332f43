import fc from 'fast-check'
import { expect, test } from 'vitest'
import { withPlaces } from '../../src/scenario/clause-text.ts'

test('section and lines are written where they are, or after the quotation; the rest stays', () => {
  const text = `[
 { "id": "a", "quote": "q", "lines": "1",
   "presupposes": ["b", "{\\"id\\": 1}"] },
 {
  "section": { "of": ["old"] },
  "quote": "r",
  "id": "b"
 },
 {"id": "c", "quote": "s"}
]
`
  const places = new Map([
    ['a', { section: 'one', lines: '7' }],
    ['b', { section: 'two', lines: '8-9' }]
  ])
  expect(withPlaces(text, places)).toBe(`[
 { "id": "a", "quote": "q", "section": "one", "lines": "7",
   "presupposes": ["b", "{\\"id\\": 1}"] },
 {
  "section": "two",
  "quote": "r",
  "lines": "8-9",
  "id": "b"
 },
 {"id": "c", "quote": "s"}
]
`)
})

test('whatever else a clause has, and however it is written, reads as before', () => {
  const clause = fc.record({
    id: fc.constant('a'),
    quote: fc.string(),
    lines: fc.string(),
    more: fc.jsonValue(),
    'an "odd": {name}': fc.jsonValue()
  })
  const indent = fc.constantFrom(undefined, 1, '\t')
  const aside = fc.constantFrom(
    (list: object[]) => list,
    (clauses: object[]) => ({ $schema: './clauses.schema.json', clauses })
  )
  fc.assert(
    fc.property(fc.array(clause, { maxLength: 3 }), indent, aside, (clauses, space, stand) => {
      const list = clauses.map((one, index) => ({ ...one, id: `a${index}` }))
      const place = { section: 's"x', lines: '5' }
      const places = new Map(list.map(({ id }) => [id, place]))
      const now = withPlaces(JSON.stringify(stand(list), null, space), places)
      const placed = stand(list.map((one) => ({ ...one, ...place })))
      expect(JSON.parse(now)).toEqual(JSON.parse(JSON.stringify(placed)))
    })
  )
})
