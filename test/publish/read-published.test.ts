import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { contentsOf } from '../../src/cli/saved/contents.ts'
import { apiCommons } from '../../src/publish/api-commons.ts'
import { type LimitsFile, limitsFile } from '../../src/publish/limits-file.ts'
import { markdown } from '../../src/publish/markdown.ts'
import { overlay } from '../../src/publish/overlay.ts'
import { limitsOf, namedRatesOf, ratesOf, requestRatesOf } from '../../src/publish/rates.ts'
import { readPublished } from '../../src/publish/read-published.ts'
import { sla4oai } from '../../src/publish/sla4oai.ts'
import { wellKnown } from '../../src/publish/well-known.ts'
import { documentedReadings, parseInventory } from '../../src/scenario/clause.ts'
import { sample } from '../report/sample.ts'

const place = 'scenarios/clauses.json'
const rates = [
  { id: 'rate.free', kind: 'limit', documented: '1,000 requests/minute', plan: 'free' },
  { id: 'rate.pro', kind: 'limit', documented: '0.5', unit: 'requests/second', plan: 'undefined' },
  { id: 'rate.two', kind: 'limit', documented: '10 requests/2 seconds' },
  { id: 'rate.own', kind: 'limit', documented: '16', unit: 'KB', source: 'a', pointer: '#/a' },
  { id: 'rate.odd', kind: 'limit', documented: '20 messages/day', notes: 'a | b \\ <b>c</b> &lt;' }
]
const ours = readFileSync(place, 'utf8')
const texts = { ours, rates: JSON.stringify(rates) }

/** What is published of a document all of which was found to hold. */
function heldOf(text: string): LimitsFile {
  const read = parseInventory(text, place)
  const { inventory } = contentsOf({ inventory: read, found: [], planned: [] } as never)
  const file = limitsFile({ ...sample(), inventory }, 'd'.repeat(64))
  const clauses = file.clauses.map((one) => {
    return { ...one, verified: { ...one.verified, verdict: 'pass' as const } }
  })
  return { ...file, clauses }
}

/** What clauses say, in as far as a format has a word for it. */
function said(clauses: readonly object[], fields: readonly string[]) {
  const inventory = parseInventory(JSON.stringify(clauses), 'clauses.json')
  return [...inventory.values()].map((clause) => ({
    readings: documentedReadings(clause),
    ...Object.fromEntries(fields.map((field) => [field, clause[field as 'id']]))
  }))
}

const limit = ['id', 'kind', 'plan']
const all = [
  ...[...limit, 'documented', 'unit', 'quote', 'section', 'lines', 'source', 'pointer'],
  ...['restates', 'derived', 'notes']
]
const formats = [
  {
    name: 'limits.json',
    write: JSON.stringify,
    held: ({ clauses }: LimitsFile) => clauses,
    fields: all
  },
  { name: 'overlay', write: overlay, held: limitsOf, fields: all },
  { name: 'Markdown', write: markdown, held: limitsOf, fields: [...limit, 'section'] },
  { name: 'well-known', write: wellKnown, held: requestRatesOf, fields: limit },
  { name: 'API Commons', write: apiCommons, held: namedRatesOf, fields: limit },
  { name: 'SLA4OAI', write: sla4oai, held: ratesOf, fields: ['kind', 'plan'] }
]
const both = formats.flatMap((format) =>
  Object.entries(texts).map(([whose, text]) => ({ ...format, whose, text }))
)

test.each(both)('$name gives back what it holds of $whose', ({ text, write, held, fields }) => {
  const file = heldOf(text)
  const { clauses, lost } = readPublished(write(file), 'file')
  const there = new Set(held(file).map(({ id }) => id))
  const known = [...parseInventory(text, place).values()].filter(({ id }) => there.has(id))
  const reachable = [known, clauses].map((some) =>
    some.map((one) => {
      const { presupposes = [] } = one as { presupposes?: string[] }
      return { ...one, presupposes: presupposes.filter((id) => there.has(id)) }
    })
  )
  const [wanted, found] = reachable.map((some) => said(some, fields))
  const byText = (one: object, other: object) =>
    JSON.stringify(one) < JSON.stringify(other) ? -1 : 1
  expect(found!.toSorted(byText)).toEqual(wanted!.toSorted(byText))
  expect(lost).toEqual([])
})

test('how many of ours each format gives back is as its table says', () => {
  const readme = readFileSync('src/publish/README.md', 'utf8')
  const rows = readme.match(/^\| `[^|]*\| [^|]*\| \d+ \|$/gm)!
  const told = rows.flatMap((row) => {
    const [, files, , count] = row.split('|')
    return [...files!.matchAll(/`([^`]+)`/g)].map(([, file]) => [file, Number(count)])
  })
  const file = heldOf(ours)
  const counts = {
    ...{ 'limits.json': file.clauses, 'limits.overlay.json': limitsOf(file) },
    ...{ 'limits.md': limitsOf(file), 'well-known-limits.json': requestRatesOf(file) },
    ...{ 'rate-limits.json': namedRatesOf(file), 'sla4oai.json': ratesOf(file) }
  }
  const held = Object.entries(counts).map(([name, all]) => [name, all.length])
  expect(told.toSorted()).toEqual(held.toSorted())
})

const window = { max: 5, period: { amount: 10, unit: 'minute' } }
test.each<[string, object, object[], string[]]>([
  [
    'SLA4OAI of others',
    {
      context: { id: 'pets' },
      plans: {
        Free: {
          quotas: { '/pets': { get: { requests: [window, { max: 'unlimited' }] } } },
          rates: { '/*': { all: { 'egress bytes': { max: 7, period: 'daily' } } } }
        }
      }
    },
    [
      {
        id: 'plans.free.quotas.pets.get.requests.10-minutes',
        kind: 'limit',
        documented: '5 requests/10 minutes',
        plan: 'Free'
      },
      {
        id: 'plans.free.rates.egress-bytes.day',
        kind: 'limit',
        documented: '7 egress bytes/day',
        plan: 'Free'
      }
    ],
    ['1 × entry that is no rate with a number']
  ],
  [
    'what a service says at /.well-known/limits',
    {
      service: 's',
      limits: {
        'Contact form': {
          limits: [
            { type: 'rate', maxRequests: 3, windowSeconds: 90, description: 'Three in 90 s.' },
            { type: 'rate', maxRequests: 9, windowSeconds: 86_400 },
            { type: 'size', maxBytes: 9 },
            { type: 'rate', maxRequests: -1, windowSeconds: 0 }
          ]
        }
      }
    },
    [
      {
        id: 'contact-form',
        kind: 'limit',
        documented: '3 requests/90 seconds',
        notes: 'Three in 90 s.'
      },
      { id: 'contact-form-2', kind: 'limit', documented: '9 requests/day' }
    ],
    ['2 × entry that is no rate with a number']
  ]
])('%s is read', (_, json, clauses, lost) => {
  expect(readPublished(JSON.stringify(json), 'f')).toMatchObject({ clauses, lost })
  expect(said(clauses, ['id'])).toHaveLength(clauses.length)
})

test.each([
  ['{}'],
  ['null'],
  ['"x"'],
  ['[{"name": 1}]'],
  ['{"limits": {"a": 1}}'],
  ['{"context": 1, "plans": []}'],
  ['{"overlay": "1.0.0", "actions": [{"update": {"x-limits": {}}}]}'],
  [''],
  ['# Limits of nothing'],
  ['['.repeat(200_000)],
  [`{"context":{},"plans":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}}`],
  ['| '.repeat(100_000)]
])('%.60s is told to be none of them', (text) => {
  expect(() => readPublished(text, 'f')).toThrow(/^f is none of what is published of limits: /)
})
