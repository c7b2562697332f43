import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDocument } from '../../src/cli/document.ts'
import { createPool, type Pool } from '../../src/engine/pool.ts'
import { variants } from '../sweep/honest/variants.ts'
import { sweepHonest } from '../sweep/honest.ts'

/** A variant of each sort, and a few quick scenarios that can see it; the rest is for the sweep. */
const sample: [name: string, ...ids: string[]][] = [
  ['coded-as-br', 'settings/update', 'envelope/errors'],
  ['more-fields-everywhere', 'policies/fields', 'waf/check-fields'],
  ['failures-are-200', 'errors', 'policies/delete'],
  ['moments-to-the-tenth', 'settings/enabled-flag'],
  ['no-more-than-ten-a-page', 'lists/per-page'],
  ['rules-have-ids-beforehand', 'waf/mapping-overrides'],
  ['one-record-a-batch', 'log-push/routing'],
  ['heads-refused-with-400', 'edge/url-length'],
  ['kept-from-the-second-on', 'cache/kept'],
  ['ten-a-page-whoever-asks-for-more', 'lists/long']
]

describe('an honest platform of another make', () => {
  let pool: Pool
  beforeAll(() => {
    pool = createPool({ workers: 2, onQuestion() {} })
  })
  afterAll(() => pool.close())

  test.each(sample)(
    '%s: nothing is judged wrongly',
    async (name, ...ids) => {
      const variant = variants.find((one) => one.name === name)!
      const document = await openDocument({ ids, tier: 'quick', cached: true })
      const swept = await sweepHonest({ variant, document, seed: 13, pool })
      expect(swept.wrong).toEqual([])
      expect(swept.counts.pass).toBeGreaterThan(0)
    },
    180_000
  )
})

test('every variant has a name of its own, and a reason', () => {
  expect(variants.length).toBeGreaterThan(50)
  expect(new Set(variants.map(({ name }) => name)).size).toBe(variants.length)
  for (const { allowed, areas } of variants) expect([allowed, areas[0]]).not.toContain('')
})
