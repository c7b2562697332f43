import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { field, ids, posted, requestOf } from './documents.ts'

test.each([
  [{ minimum: 0.1, maximum: 0.4 }, 0.15],
  [{ minimum: 0.07, maximum: 0.07, multipleOf: 0.01 }, 0.07],
  [{ exclusiveMinimum: 0, exclusiveMaximum: 0.001 }, 0.0005],
  [{ exclusiveMinimum: 0, maximum: 1e-7 }, 1e-7],
  [{ maximum: -2.5 }, -2.55]
])('a number is found within %j', (range, value) => {
  const schema = { type: 'number', ...range }
  const properties = { x: schema }
  const found = requestOf(posted({ type: 'object', required: ['x'], properties }))
  const [, text] = /body: \{ x: (\S+)/.exec(found)!
  expect(Number(text)).toBe(value)
})

const host = /^([a-z]{1,63}\.)+[a-z]{1,63}$/
const mail = /^[a-z]{1,64}@([a-z]{1,63}\.)+[a-z]{1,63}$/

test.each<[format: string, most: number, least: number, isOne: RegExp]>([
  ['email', 60, 13, mail],
  ['email', 76, 15, mail],
  ['email', 139, 77, mail],
  ['email', 140, 78, mail],
  ['email', 253, 191, mail],
  ['hostname', 60, 13, host],
  ['hostname', 252, 191, host],
  ['idn-hostname', 200, 139, host],
  ['uri', 100, 20, /^https:\/\/example\.com\/x*$/]
])(
  'of the format %s there are texts of up to %d letters, and one more',
  (format, most, least, isOne) => {
    const { files } = field({ type: 'string', format, maxLength: most })
    const text = files['limits/a/body-x-max-length.ts'] ?? ''
    const [, from = ''] = /smallest: (\d+)/.exec(text) ?? []
    const [, made = ''] = /'body\.x': (.*) \}, \{ upTo: \d+ \}\)$/m.exec(text) ?? []
    expect(Number(from)).toBe(least)
    for (let n = least; n <= most + 1; n++) {
      const sent: string = runInNewContext(made, { n })
      expect([n, sent]).toEqual([sent.length, expect.stringMatching(isOne)])
    }
  }
)

test.each([
  ['email', 254],
  ['hostname', 253],
  ['email', 12],
  ['uri', 19]
])('of %s with %d letters at most nothing of such sizes is asked', (format, maxLength) => {
  expect(ids(field({ type: 'string', format, maxLength }))).not.toContain('a.body.x.max-length')
})
