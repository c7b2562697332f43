import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openDocument } from '../../src/cli/document.ts'
import { knownOf, parseKnownBlind } from '../../src/tampering/known-blind.ts'

const all = parseKnownBlind(
  JSON.stringify([
    { scenario: 'logs/filter', clauses: ['logs.narrows'], because: 'read off deliveries' },
    { scenario: 'logs', because: 'what is delivered passes no proxy' }
  ]),
  'blind.json'
)

test.each([
  ['logs/filter', 'logs.narrows', 'read off deliveries'],
  ['logs/filter', 'logs.other', 'what is delivered passes no proxy'],
  ['logs/more/deep', 'logs.other', 'what is delivered passes no proxy'],
  ['logs-too', 'logs.other', undefined]
])('of %s and %s it is known that %s', (scenario, clause, because) => {
  expect(knownOf(all, { scenario, clause })?.because).toBe(because)
})

test.each([
  ['{', /blind.json is not JSON/],
  ['{}', /a list of/],
  ['[{"scenario":"a"}]', /because is missing: add a reason in words/],
  ['[{"scenario":"a","because":"so"}]', /because must be a reason in words/],
  ['[{"scenario":"a","because":"it is so","clause":"b"}]', /clause is not a known field/]
])('%s is refused', (text, message) => {
  expect(() => parseKnownBlind(text, 'blind.json')).toThrow(message)
})

/** A row of the table of what tampering does not reach: its folders, and how many are not seen. */
function rows(text: string): { folders: string; notSeen: number }[] {
  const [, section = ''] = text.split('\n## Checks that tampering does not reach\n')
  return section
    .split(/\n## /)[0]!
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => {
      const [, folders = '', , , doubted, blind] = line.split('|').map((cell) => cell.trim())
      const names = folders.match(/(?<=`)[a-z-]+(?=`)/g) ?? []
      return { folders: names.join(), notSeen: Number(doubted) + Number(blind) }
    })
}

test('each of ours that is blind or doubted has a reason, and no others have', async () => {
  const reasons = parseKnownBlind(readFileSync('scenarios/blind.json', 'utf8'), 'blind.json')
  const ids = [...new Set(reasons.map(({ scenario }) => scenario))]
  const { plan } = await openDocument({ scenarios: 'scenarios', ids, tier: 'full' })
  const known = plan.units.flatMap(({ scenario, clauses }) =>
    clauses
      .filter((clause) => knownOf(reasons, { scenario, clause }) !== undefined)
      .map((clause) => ({ scenario, clause, reason: knownOf(reasons, { scenario, clause }) }))
  )
  // Whoever has asked a folder again changes its row, and gives or takes away reasons with it.
  const told: { [folders: string]: number } = {}
  for (const { folders, notSeen } of rows(readFileSync('scenarios/README.md', 'utf8')))
    told[folders] = (told[folders] ?? 0) + notSeen
  expect(Object.keys(told).length).toBeGreaterThan(10)
  for (const [folders, notSeen] of Object.entries(told)) {
    const own = known.filter(({ scenario }) => folders.split(',').includes(scenario.split('/')[0]!))
    const listed = own.map(({ scenario, clause }) => `${clause} in ${scenario}`).join(', ')
    expect(own.length, `${folders}: ${notSeen} not seen, with a reason ${listed}`).toBe(notSeen)
  }
  // A reason for what is not there, or hidden behind another one, is none.
  const used = new Set(known.map(({ reason }) => reason))
  expect(reasons.filter((one) => !used.has(one))).toEqual([])
})
