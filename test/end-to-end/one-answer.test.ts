import { expect, test } from 'vitest'
import { sweepOneAnswer } from '../sweep/one-answer.ts'

/** What asks about lists that may be empty, about what is taken, and about what is turned down. */
const ids = [
  ...['addressing', 'authentication/bearer', 'detections/own-zone', 'envelope', 'gateway', 'lists'],
  ...['log-push/create', 'log-push/filter-form', 'log-push/job-fields', 'policies/directives'],
  ...['policies/two-zones', 'scripts/list', 'versioning', 'waf/eligibility', 'waf/errors'],
  ...['waf/phase-two', 'waf/previous-kept']
]

test.each(['empty-list', 'refusal', 'empty-response', 'half-a-json'])(
  'of %s in place of each answer nothing is concluded but what it shows',
  async (name) => {
    const { counts, wrong } = await sweepOneAnswer({ name, ids, seed: 1 })
    expect(wrong).toEqual([])
    expect(Object.keys(counts).length).toBeGreaterThan(0)
  },
  180_000
)

test('what can be read is judged, and what cannot is out of service but for that', async () => {
  const list = await sweepOneAnswer({ name: 'empty-list', ids: ['envelope'], seed: 1 })
  expect(list.counts.pass).toBeGreaterThan(5)
  const half = await sweepOneAnswer({ name: 'half-a-json', ids: ['envelope'], seed: 1 })
  expect(half.counts).toEqual({ blocked: expect.any(Number), fail: 1 })
}, 180_000)
