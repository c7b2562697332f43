import { expect, test } from 'vitest'
import {
  isClear,
  isHurried,
  type ProbeLine,
  rateEntry,
  type SizeEntry,
  sizeEntry,
  withdrawn
} from '../../../src/cli/terminal/probe-entry.ts'
import { claimsText, entryText } from '../../../src/cli/terminal/probe-text.ts'

const boundary = (accepted: number | undefined, rejected: number | undefined) => {
  const repeats = { accepted: 3, rejected: 2 }
  const kind = rejected === undefined ? ('unlimited' as const) : ('found' as const)
  return { kind, accepted, rejected, repeats, because: 'so it was', asked: [] }
}
const all = { unit: 'bytes', repeats: 3 }
const reading = { what: 'the body', number: 3 * 1_048_576, isBelow: false }

test('what variants agree on is said once', () => {
  const boundaries = ['alone', 'chunked'].map((variant) => ({
    ...{ variant, boundary: boundary(3_145_728, 3_145_729), status: 413 }
  }))
  const entry = sizeEntry(
    'body',
    { boundaries, usual: 200, status: 413, readings: [{ reading }], taken: [] },
    all
  )
  expect(entry).toMatchObject({ accepted: 3_145_728, repeats: '2/3', status: 413 })
  expect(entryText(entry).split('\n')).toEqual([
    '  body          3,145,728 bytes accepted, 3,145,729 refused (413)',
    '                counted: the body, up to 3 MiB'
  ])
})

test('what they differ in is said of each', () => {
  const boundaries = [
    { variant: 'short ones', boundary: boundary(98, 99), status: 431 },
    { variant: 'longer ones', boundary: boundary(60, undefined), status: 0 }
  ]
  const fields = { what: 'header fields', number: 100, isBelow: true }
  const readings = [{ variant: 'short ones', reading: fields }]
  const found = { boundaries, usual: 200, status: 431, readings, taken: [] }
  const entry = sizeEntry('header-count', found, { unit: 'fields', repeats: 3 })
  expect(entry.variants.map(({ status }) => status)).toEqual([431, null])
  expect(entryText(entry).split('\n')).toEqual([
    '  header-count  short ones: 98 fields accepted, 99 refused (431)',
    '                counted: header fields, less than 100',
    '                longer ones: no limit up to 60 fields'
  ])
})

test('an accept that is a refusal of another kind is told', () => {
  const boundaries = [{ variant: 'alone', boundary: boundary(900, undefined), status: 0 }]
  const entry = sizeEntry(
    'body',
    { boundaries, usual: 405, status: 0, readings: [], taken: [] },
    all
  )
  expect(entryText(entry)).toBe(
    '? body          no limit up to 900 bytes, but all is answered 405: that shows none'
  )
})

test('what is unclear is marked, and says why', () => {
  const line: ProbeLine = {
    ...{ kind: 'unclear', accepted: null, rejected: null, status: null, reading: null },
    because: 'no clear answer'
  }
  const variants = [{ variant: 'alone', ...line }]
  const entry: SizeEntry = {
    limit: 'url',
    unit: 'bytes',
    usual: 200,
    repeats: '0/3',
    ...line,
    variants
  }
  expect(isClear(entry)).toBe(false)
  expect(isHurried(entry)).toBe(false)
  expect(entryText(entry)).toBe('? url           unclear: no clear answer')
  const late = { ...variants[0]!, because: '5 got no clear answer: HTTP 429' }
  expect(isHurried({ ...entry, variants: [late] })).toBe(true)
})

test('what cannot be asked is not unclear', () => {
  const entry = { limit: 'body', outcome: 'inapplicable', because: 'so it is' } as const
  expect(isClear(entry)).toBe(true)
  expect(entryText(entry)).toBe('  body          not to be found: so it is')
  const failed = { ...entry, outcome: 'inconclusive' } as const
  expect(isClear(failed)).toBe(false)
  expect(entryText(failed)).toMatch(/^\? /)
})

test('a rate is told by its numbers', () => {
  const found = rateEntry({
    ...{ algorithm: 'sliding-log', burst: 1_000, perSecond: 16.6667, windowMs: 60_000 },
    ...{ status: 429, because: 'all again after 60 s', repeats: '3/3' }
  })
  expect(isClear(found)).toBe(true)
  expect(entryText(found).split('\n')).toEqual([
    '  rate          sliding log: 1,000 at once, 16.7 a second, window 1 min 0 s',
    '                all again after 60 s'
  ])
  const unclear = rateEntry({ algorithm: 'unclear', because: 'no answer', repeats: '0/0' })
  expect(isClear(unclear)).toBe(false)
  expect(unclear).toMatchObject({ burst: null, windowMs: null })
  const none = rateEntry({ algorithm: 'none', because: 'all 500 accepted', repeats: '1/1' })
  expect(isClear(none)).toBe(true)
  expect(entryText(none)).toMatch(/no limit seen\n +all 500 accepted/)
})

test('what a line was read as is taken back when more was taken elsewhere', () => {
  const boundaries = [{ variant: 'alone', boundary: boundary(900, 901), status: 413 }]
  const found = { boundaries, usual: 200, status: 413, readings: [{ reading }], taken: [] }
  const entry = sizeEntry('body', found, all)
  const taken = [{ 'the body': reading.number }]
  expect(withdrawn([entry], { known: [reading], taken })).toEqual([])
  taken[0]!['the body']++
  expect(withdrawn([entry], { known: [reading], taken })).toEqual([
    'body: not the body, up to 3 MiB, of which more was taken'
  ])
  expect([entry.reading, entry.variants[0]!.reading]).toEqual([null, null])
})

test('claims are a line each', () => {
  expect(claimsText([])).toBe('  no header says anything about limits')
  const because = '1; refused until 1.9 s'
  const found = [
    { field: 'Retry-After', verdict: 'false', because },
    { field: 'RateLimit', verdict: 'true', because: 'so it was' }
  ] as const
  expect(claimsText(found).split('\n')).toEqual([
    '✘ Retry-After  false   1; refused until 1.9 s',
    '✔ RateLimit    true    so it was'
  ])
})

test('how a rate is refused without a status of an error is said', () => {
  const window = { algorithm: 'fixed-window', burst: 18, windowMs: 3_000, repeats: '3/3' } as const
  const textOf = (status: number) => {
    return entryText(rateEntry({ ...window, status, because: 'so it was' })).split('\n')[0]
  }
  expect(textOf(0)).toMatch(/, window 3.0 s, refused by closing the connection$/)
  expect(textOf(200)).toMatch(/, refused softly: 200, but not as usual$/)
  expect(textOf(429)).toMatch(/, window 3.0 s$/)
})

test('a window that is known between two times is told as those, and never as less', () => {
  const slow = { algorithm: 'slow-down', burst: 15, delayMs: 60, repeats: '2/2' } as const
  const entry = rateEntry({ ...slow, windowIn: { from: 3_960, to: 4_401 }, because: 'so it was' })
  expect(entryText(entry)).toContain('15 at once, then 60 ms later, window 3.9 to 4.5 s')
  expect(entry).toMatchObject({ windowMs: null, windowIn: { from: 3_960, to: 4_401 } })
})
