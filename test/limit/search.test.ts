import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Exchange } from '../../src/client/reply.ts'
import type { Answer } from '../../src/limit/answer.ts'
import type { Boundary } from '../../src/limit/boundary.ts'
import { type SearchOptions, search } from '../../src/limit/search.ts'

const nothing: Exchange = {
  kind: 'answered',
  status: 0,
  phase: 'end',
  sent: 0,
  because: '',
  request: { method: 'GET', url: '', bodyBytes: 0 },
  excerpt: ''
}

function say(kind: Answer['kind'], because = `HTTP ${kind}`): Answer {
  return { kind, proper: true, because, evidence: nothing }
}

/** A target that accepts values up to `line`. */
const upTo = (line: number) => (value: number) => say(value <= line ? 'accepted' : 'rejected')

/** Drives a search against a target, for at most `most` questions. */
function find(
  options: Partial<SearchOptions> & { readings: readonly number[] },
  target: (value: number, nth: number) => Answer,
  most = 10_000
): Boundary {
  const { readings } = options
  const defaults = { smallest: 1, resolution: 1, ceiling: readings.at(-1)! * 4, repeats: 3 }
  const questions = search({ ...defaults, ...options })
  let step = questions.next()
  for (let nth = 0; !step.done; nth++) {
    if (nth === most) throw new Error(`more than ${most} questions`)
    step = questions.next(target(step.value, nth))
  }
  return step.value
}

const values = (boundary: Boundary) => boundary.asked.map((one) => one.value)

describe('a target as documented costs a handful of questions', () => {
  test.each([
    { readings: [100], line: 100, asked: [1, 100, 101, 100, 100, 101, 101] },
    {
      readings: [16_000, 16_384],
      line: 16_384,
      asked: [1, 16_384, 16_385, 16_384, 16_384, 16_385, 16_385]
    },
    {
      readings: [16_000, 16_384],
      line: 16_000,
      asked: [1, 16_384, 16_385, 16_000, 16_001, 16_000, 16_000, 16_001, 16_001]
    },
    { readings: [1], line: 1, asked: [1, 2, 1, 1, 2, 2] }
  ])('$line of $readings', ({ readings, line, asked }) => {
    const boundary = find({ readings }, upTo(line))
    expect(boundary).toMatchObject({
      kind: 'found',
      accepted: line,
      rejected: line + 1,
      repeats: { accepted: 3, rejected: 3 }
    })
    expect(values(boundary)).toEqual(asked)
  })
})

describe('said and real', () => {
  const KB = [1_000, 1_024]
  test.each([
    { said: KB, real: 1_010, kind: 'found', accepted: 1_010, rejected: 1_011 },
    { said: KB, real: 1_001, kind: 'found', accepted: 1_001, rejected: 1_002 },
    { said: KB, real: 999, kind: 'found', accepted: 999, rejected: 1_000 },
    { said: KB, real: 500, kind: 'found', accepted: 500, rejected: 501 },
    { said: KB, real: 1, kind: 'found', accepted: 1, rejected: 2 },
    { said: KB, real: 0, kind: 'closed', accepted: undefined, rejected: 1 },
    { said: KB, real: 1_025, kind: 'found', accepted: 1_025, rejected: 1_026 },
    { said: KB, real: 2_000, kind: 'found', accepted: 2_000, rejected: 2_001 },
    { said: KB, real: 4_095, kind: 'found', accepted: 4_095, rejected: 4_096 },
    { said: KB, real: 4_096, kind: 'unlimited', accepted: 4_096, rejected: undefined },
    { said: KB, real: 1e9, kind: 'unlimited', accepted: 4_096, rejected: undefined },
    { said: [200], real: 199, kind: 'found', accepted: 199, rejected: 200 },
    { said: [10, 20, 30], real: 20, kind: 'found', accepted: 20, rejected: 21 }
  ])('said $said, real $real', ({ said, real, ...expected }) => {
    const { kind, accepted, rejected } = find({ readings: said }, upTo(real))
    expect({ kind, accepted, rejected }).toEqual(expected)
  })

  test.each([10_000, 999_999, 1_000_000, 1_010_000, 1_048_576, 1_049_575, 3_000_000])(
    'neighbours are a resolution apart: real %i',
    (real) => {
      const readings = [1_000_000, 1_048_576]
      const boundary = find({ readings, resolution: 1_000 }, upTo(real))
      expect(boundary.kind).toBe('found')
      expect(boundary.accepted).toBeLessThanOrEqual(real)
      expect(boundary.rejected).toBeGreaterThan(real)
      expect(boundary.rejected! - boundary.accepted!).toBeLessThanOrEqual(1_000)
    }
  )
})

describe('surprises are confirmed before they count', () => {
  test('the lowest reading refused', () => {
    const boundary = find({ readings: [100] }, upTo(60))
    expect(values(boundary).slice(0, 5)).toEqual([1, 100, 100, 100, 101])
  })

  test('more than the highest reading accepted', () => {
    const boundary = find({ readings: [100] }, upTo(150))
    expect(values(boundary).slice(0, 7)).toEqual([1, 100, 101, 101, 101, 102, 204])
  })

  test.each([
    { line: 99, asked: [1, 100, 100, 100, 101, 99, 99, 99] },
    { line: 101, asked: [1, 100, 101, 101, 101, 102, 102, 102] }
  ])('a line that is off by one is found at once: $line', ({ line, asked }) => {
    const boundary = find({ readings: [100] }, upTo(line))
    expect(boundary).toMatchObject({ kind: 'found', accepted: line, rejected: line + 1 })
    expect(values(boundary)).toEqual(asked)
  })

  test('the smallest value refused', () => {
    const boundary = find({ readings: [100] }, upTo(0))
    expect(boundary).toMatchObject({ kind: 'closed', repeats: { accepted: 0, rejected: 3 } })
    expect(values(boundary)).toEqual([1, 1, 1])
    expect(boundary.because).toBe('not even 1 was accepted: HTTP rejected')
  })

  const closing = {
    ...say('rejected', 'closed'),
    evidence: { ...nothing, kind: 'closed' as const }
  }

  test.each([{ proper: false }, { proper: true }])(
    'a refusal by a closed connection, eight times where it is a surprise: $proper',
    ({ proper }) => {
      const target = (value: number) => (value <= 100 ? say('accepted') : { ...closing, proper })
      const boundary = find({ readings: [100], repeats: 1 }, target)
      expect(boundary).toMatchObject({ kind: 'found', accepted: 100, rejected: 101 })
      expect(boundary.repeats.rejected).toBe(proper ? 1 : 8)
    }
  )

  test('connections lost by chance are no refusal, three times in a row or not', () => {
    const lossy = (value: number, nth: number) =>
      nth >= 2 && nth <= 4 ? { ...closing, proper: false } : upTo(100)(value)
    const { kind, asked } = find({ readings: [100], repeats: 1 }, lossy)
    expect(kind).toBe('found')
    expect(asked.filter(({ lost }) => lost)).toHaveLength(3)
    expect(asked.some(({ value, proper }) => value === 101 && proper)).toBe(true)
  })

  test('a refusal that does not happen again is no boundary', () => {
    const once = (value: number, nth: number) => say(nth === 1 ? 'rejected' : upTo(100)(value).kind)
    expect(find({ readings: [100] }, once)).toMatchObject({
      kind: 'unclear',
      because: '100 was both accepted (HTTP accepted) and refused (HTTP rejected)'
    })
  })
})

describe('what is unclear', () => {
  test('values accepted above one refused', () => {
    const odd = (value: number) => say(value === 100 ? 'rejected' : 'accepted')
    expect(find({ readings: [100] }, odd)).toMatchObject({
      kind: 'unclear',
      because: '101 was accepted (HTTP accepted), but 100 was refused (HTTP rejected)'
    })
  })

  test('a side of the boundary that turns over when asked again', () => {
    const tired = (value: number, nth: number) => say(nth < 4 ? upTo(100)(value).kind : 'rejected')
    expect(find({ readings: [100] }, tired).kind).toBe('unclear')
  })

  test('no clear answer, however often it is asked', () => {
    const dumb = (value: number) => (value < 50 ? say('accepted') : say('unclear', 'no byte'))
    const boundary = find({ readings: [100] }, dumb)
    expect(boundary).toMatchObject({
      kind: 'unclear',
      because: '100 got no clear answer, 4 times: no byte'
    })
    expect(values(boundary)).toEqual([1, 100, 100, 100, 100])
  })

  test('one unclear answer is asked again and forgotten', () => {
    const deaf = (value: number, nth: number) => (nth % 3 === 1 ? say('unclear') : upTo(100)(value))
    expect(find({ readings: [100] }, deaf)).toMatchObject({ kind: 'found', accepted: 100 })
  })
})

test('a rejection in the wrong manner counts as one, and is kept as it was', () => {
  const rude = (value: number): Answer => ({ ...upTo(100)(value), proper: value !== 101 })
  const boundary = find({ readings: [100] }, rude)
  expect(boundary).toMatchObject({ kind: 'found', accepted: 100, rejected: 101 })
  expect(boundary.asked.filter((one) => !one.proper).map((one) => one.value)).toEqual([
    101, 101, 101
  ])
})

describe('for every target', () => {
  const options = fc
    .record({
      low: fc.integer({ min: 1, max: 1e9 }),
      more: fc.integer({ min: 0, max: 1e8 }),
      resolution: fc.integer({ min: 1, max: 1_000 }),
      factor: fc.integer({ min: 1, max: 64 }),
      repeats: fc.integer({ min: 1, max: 5 })
    })
    .map(({ low, more, resolution, factor, repeats }) => ({
      readings: more === 0 ? [low] : [low, low + more],
      smallest: 1,
      resolution,
      ceiling: (low + more) * factor,
      repeats
    }))

  /** Distinct values: the opening, the readings, the way up and the way down. */
  const mostValues = ({ readings, ceiling, resolution }: SearchOptions) =>
    3 + 2 * readings.length + Math.ceil(Math.log2(ceiling)) + 1 + bisections(ceiling, resolution)
  const bisections = (range: number, resolution: number) =>
    Math.max(0, Math.ceil(Math.log2(range / resolution))) + 2

  test('an honest line is found where it is', () => {
    fc.assert(
      fc.property(options, fc.double({ min: 0, max: 1, noNaN: true }), (given, at) => {
        const exact = { ...given, resolution: 1 }
        const line = Math.floor(at * at * given.ceiling * 1.1)
        const boundary = find(exact, upTo(line), mostValues(exact) + 4 * given.repeats)
        const top = Math.max(given.ceiling, given.readings.at(-1)! + 1)
        if (line === 0) expect(boundary.kind).toBe('closed')
        else if (line >= top) expect(boundary).toMatchObject({ kind: 'unlimited', accepted: top })
        else
          expect(boundary).toMatchObject({
            kind: 'found',
            accepted: line,
            rejected: line + 1,
            repeats: { accepted: given.repeats, rejected: given.repeats }
          })
      }),
      { numRuns: 1_000 }
    )
  })

  test('it ends in a bounded number of questions, and what is found has no contradiction', () => {
    const answers = fc.array(fc.constantFrom('accepted', 'rejected', 'unclear'), { minLength: 1 })
    fc.assert(
      fc.property(options, answers, (given, kinds) => {
        const bound = mostValues(given) * 2 * given.repeats + 1
        const boundary = find(given, (_, nth) => say(kinds[nth % kinds.length]!), bound)
        const of = (kind: string) =>
          boundary.asked.filter((one) => one.kind === kind).map((one) => one.value)
        const isMonotone = of('accepted').every((took) => of('rejected').every((no) => took < no))
        if (boundary.kind !== 'unclear') expect(isMonotone).toBe(true)
        if (!isMonotone) expect(boundary.kind).toBe('unclear')
        if (boundary.kind === 'found') {
          const { accepted, rejected } = boundary
          expect(rejected! - accepted!).toBeLessThanOrEqual(given.resolution)
          expect(of('accepted').filter((value) => value === accepted).length).toBe(
            boundary.repeats.accepted
          )
          expect(of('rejected').filter((value) => value === rejected).length).toBe(
            boundary.repeats.rejected
          )
          expect(Math.min(...Object.values(boundary.repeats))).toBeGreaterThanOrEqual(given.repeats)
        }
      }),
      { numRuns: 1_000 }
    )
  })

  test('a target that refuses what is promised and accepts what is not is unclear', () => {
    fc.assert(
      fc.property(options, (given) => {
        const [low] = given.readings
        fc.pre(low! > given.smallest)
        const inverted = (value: number) => say(value === low ? 'rejected' : 'accepted')
        expect(find(given, inverted).kind).toBe('unclear')
      })
    )
  })
})
