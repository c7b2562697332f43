import { expect, test } from 'vitest'
import { believed, ofThings, timedTamperings } from '../../src/tampering/timed-tampering.ts'
import type { Witnessed } from '../../src/tampering/witnessed.ts'

type More = Pick<Witnessed, 'after' | 'again' | 'nth'>

function seen(request: string, [status, json]: [number, unknown?], more: More = {}): Witnessed {
  const [method = '', path = '', body = ''] = request.split(' ')
  const answer = { status, headers: {}, text: JSON.stringify(json) ?? '', json }
  const sizes = { headBytes: 100, bodyBytes: body.length, sha256: 'f'.repeat(64) }
  return { endpoint: 'api', asked: { method, path, headers: {}, body, ...sizes }, answer, ...more }
}

const [one, other] = ['0123456789abcdef', 'fedcba9876543210']

test('what is asked again is answered otherwise the second time only', () => {
  const refusal: [number, unknown] = [403, { error: 'stopped' }]
  const first = seen('GET /shop?q=attack', refusal)
  const again = seen('GET /shop?q=attack', refusal, { again: true })
  const taken = seen('GET /shop', [200, { page: 1 }])
  const all = [first, taken, again]
  const list = timedTamperings({ clause: 'waf.no-switch', shown: [first, again], all })
  const [made] = list.filter(({ words }) => words.endsWith('asked again: taken as GET /shop'))
  expect(made!.change(again)).toMatchObject({ status: 200 })
  expect(made!.change(first)).toBeUndefined()
})

test('a change that was refused is taken, and what is read of it afterwards says so', () => {
  const refused = seen(`PUT /zones/${one}/waf {"mode":"on"}`, [400, { errors: [1] }])
  const taken = seen(`PUT /zones/${other}/waf {"mode":"off"}`, [200, { result: {} }])
  const read = (zone: string, state: string, after?: Witnessed) =>
    seen(`GET /zones/${zone}/state`, [200, { zone, state }], { after })
  const [still, moved] = [read(one!, 'start', refused), read(other!, 'complete', taken)]
  // The first look at the one zone came after the change of the other, and shows nothing of it.
  const before = read(one!, 'start', taken)
  const all = [taken, moved, before, refused, still]
  const { change } = believed(refused, { opposite: taken, all })
  expect(change(refused)).toMatchObject({ status: 200 })
  expect(JSON.parse(change(still)!.text!)).toMatchObject({ state: 'complete' })
  expect(change(moved)).toBeUndefined()
  expect(change(before)).toBeUndefined()
})

test('of many things every second one is told otherwise, in value and in type', () => {
  const zones = [one, other, 'a'.repeat(16), 'b'.repeat(16)]
  const all = zones.map((zone, nth) => seen(`GET /zones/${zone}/x`, [200, { level: 2 }], { nth }))
  const list = ofThings({ clause: 'level.same', shown: all, all })
  const levels = (words: RegExp) => {
    const [made] = list.filter((tampering) => words.test(tampering.words))
    return all.map((zone) => (made!.change(zone)?.json as { level: unknown })?.level)
  }
  expect(levels(/every second one: another value of level/)).toEqual([undefined, 3, undefined, 3])
  expect(levels(/every second one: another type of level/)).toEqual([
    undefined,
    '2',
    undefined,
    '2'
  ])
  expect(levels(/the first and every third/)).toEqual([3, undefined, undefined, 3])
  // What is asked about one thing only cannot be told of a second one.
  expect(ofThings({ clause: 'level.same', shown: all, all: all.slice(0, 1) })).toEqual([])
})
