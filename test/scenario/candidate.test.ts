import { expect, test } from 'vitest'
import { candidates, unquoted } from '../../src/scenario/candidate.ts'
import { parseInventory } from '../../src/scenario/clause.ts'
import { quotable } from '../../src/scenario/quotation.ts'

const document = quotable(
  `# Orders

We like orders. A name has up to
40 characters. Prices must be positive!

| what | largest |
| --- | --- |
| body | 16 KB |
| colour | any |

- \`state\` is one of "open", "closed".
- Since 2023-01-30 it is v4.

\`\`\`
you must not 5 MB
\`\`\`
`,
  'orders.md'
)

test('sentences and rows with a number and a unit, a modal verb or a choice are candidates', () => {
  expect(candidates(document)).toEqual([
    { section: 'orders', line: 3, quote: 'A name has up to 40 characters.' },
    { section: 'orders', line: 4, quote: 'Prices must be positive!' },
    { section: 'orders', line: 8, quote: 'body | 16 KB' },
    { section: 'orders', line: 11, quote: '`state` is one of "open", "closed".' }
  ])
})

test('what a clause quotes, whole or in part, is none any more', () => {
  const quotes = ['up to 40 characters', 'body | 16 KB']
  const clauses = quotes.map((quote, index) => {
    return { id: `a${index}`, kind: 'rule', documented: 'so', quote }
  })
  const inventory = parseInventory(JSON.stringify(clauses), 'clauses.json')
  expect(unquoted(inventory, document).map(({ line }) => line)).toEqual([4, 11])
})
