import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Boundary } from '../../src/limit/boundary.ts'
import type { Limit } from '../../src/limit/limit.ts'
import { judgeLimit } from '../../src/verdict/judge-limit.ts'
import { type Outcome, outcomes } from '../../src/verdict/outcome.ts'
import { boundary } from './boundaries.ts'

const fifty: Limit = { clause: 'a', max: 50, unit: 'subrequests', readings: [50] }
const kilobytes: Limit = { clause: 'b', max: 16_000, unit: 'bytes', readings: [16_000, 16_384] }

type Row = [name: string, limit: Limit, asked: string, Outcome, observed: string, because: string]

/** What was asked begins with what the search made of it. */
const rows: Row[] = [
  [
    'the line where the document draws it',
    fifty,
    'found 1+ 50+ 51- 50+ 51- 50+ 51-',
    'pass',
    '50 subrequests accepted, 51 refused (HTTP 413)',
    'the line is where the document draws it, at DOC'
  ],
  [
    'the decimal reading',
    kilobytes,
    'found 16000+ 16001-',
    'pass',
    '16000 bytes accepted, 16001 refused (HTTP 413)',
    'the target reads DOC as 16000 bytes'
  ],
  [
    'the binary reading',
    kilobytes,
    'found 16000+ 16001+ 16384+ 16385-',
    'pass',
    '16384 bytes accepted, 16385 refused (HTTP 413)',
    'the target reads DOC as 16 KiB'
  ],
  [
    'a line between the readings',
    kilobytes,
    'found 16000+ 16100+ 16101-',
    'pass',
    '16100 bytes accepted, 16101 refused (HTTP 413)',
    'the line lies between the readings of DOC, 16000 and 16384'
  ],
  [
    'one below the smallest reading',
    kilobytes,
    'found 15999+ 16000-',
    'fail',
    '15999 bytes accepted, 16000 refused (HTTP 413)',
    '16000 is refused, but the document promises DOC'
  ],
  [
    'one beyond the largest reading',
    kilobytes,
    'found 16000+ 16385+ 16386-',
    'fail',
    '16385 bytes accepted, 16386 refused (HTTP 413)',
    '16385 is accepted, but the document says DOC'
  ],
  [
    'the documented value itself never asked',
    fifty,
    'found 40+ 60-',
    'inconclusive',
    '40 subrequests accepted, 60 refused (HTTP 413)',
    'nothing between 40 and 60 was asked'
  ],
  [
    'improper refusals, two of three',
    fifty,
    'found 50+ 51! 51- 51!',
    'inconclusive',
    '50 subrequests accepted, 51 refused (HTTP 500, HTTP 413)',
    '51 is not refused as it should be (2 of 3): HTTP 500'
  ],
  [
    'improper refusals, all three of them',
    fifty,
    'found 50+ 51! 51! 51!',
    'fail',
    '50 subrequests accepted, 51 refused (HTTP 500)',
    '51 is not refused as it should be (3 of 3): HTTP 500'
  ],
  [
    'connections lost, three of three',
    fifty,
    'found 50+ 51x 51x 51x',
    'inconclusive',
    '50 subrequests accepted, 51 refused (closed)',
    '51 is not refused as it should be (3 of 3): closed'
  ],
  [
    'connections lost, each of eight',
    fifty,
    'found 50+ 51x 51x 51x 51x 51x 51x 51x 51x',
    'fail',
    '50 subrequests accepted, 51 refused (closed)',
    '51 is not refused as it should be (8 of 8): closed'
  ],
  [
    'an improper refusal, the only one',
    fifty,
    'found 50+ 51!',
    'inconclusive',
    '50 subrequests accepted, 51 refused (HTTP 500)',
    '51 is not refused as it should be (1 of 1): HTTP 500'
  ],
  [
    'an improper refusal, one of three',
    fifty,
    'found 50+ 51- 51! 51-',
    'inconclusive',
    '50 subrequests accepted, 51 refused (HTTP 413, HTTP 500)',
    '51 is not refused as it should be (1 of 3): HTTP 500'
  ],
  [
    'an improper refusal far beyond, asked once',
    kilobytes,
    'found 16000+ 16001+ 32000! 16384+ 16385- 16385-',
    'inconclusive',
    '16384 bytes accepted, 16385 refused (HTTP 413)',
    '32000 is not refused as it should be (1 of 1): HTTP 500'
  ],
  [
    'no limit at all',
    fifty,
    'unlimited 1+ 50+ 51+ 200+',
    'fail',
    '200 subrequests accepted, nothing refused',
    'no limit up to there; the document says DOC'
  ],
  [
    'a search that stopped before the limit',
    fifty,
    'unlimited 1+ 50+',
    'inconclusive',
    '50 subrequests accepted, nothing refused',
    'nothing beyond the limit was asked'
  ],
  [
    'even the smallest refused, properly',
    kilobytes,
    'closed 1- 1-',
    'blocked',
    'not even 1 byte accepted',
    'the target was not usable: HTTP 413'
  ],
  [
    'even the smallest refused, for another reason',
    kilobytes,
    'closed 1- 1!',
    'blocked',
    'not even 1 byte accepted',
    'the target was not usable: HTTP 413, HTTP 500'
  ],
  ['nothing answered', fifty, 'closed 1?', 'blocked', 'nothing accepted', 'no value was answered'],
  [
    'answers that contradict each other',
    fifty,
    'unclear 50+ 50- 50+',
    'inconclusive',
    'no clear boundary',
    'WHY'
  ]
]

test.each(rows)('%s', (_, limit, text, outcome, observed, because) => {
  const [kind, ...asked] = text.split(' ') as [Boundary['kind'], ...string[]]
  const boundaries = [{ variant: '', boundary: boundary(kind, asked.join(' '), 'WHY') }]
  expect(judgeLimit(limit, boundaries, 'DOC')).toEqual({ outcome, observed, because })
})

test.each([
  [1e8, 104_857_600, '100 MiB'],
  [1_500_000, 1_572_864, '1.5 MiB'],
  [5e9, 5_368_709_120, '5 GiB'],
  [10, 12, '12 bytes']
])('the larger reading of %i and %i is called %s', (smallest, largest, name) => {
  const limit = { clause: 'c', max: smallest, unit: 'bytes', readings: [smallest, largest] }
  const boundaries = [{ variant: '', boundary: boundary('found', `${largest}+ ${largest + 1}-`) }]
  expect(judgeLimit(limit, boundaries, 'DOC').because).toBe(`the target reads DOC as ${name}`)
})

describe('several variants', () => {
  const well = boundary('found', '50+ 51-')
  const open = boundary('found', '51+ 52-')

  test('what is true of all of them is said once', () => {
    const all = [
      { variant: 'fetch', boundary: well },
      { variant: 'cache', boundary: well }
    ]
    expect(judgeLimit(fifty, all, '50')).toEqual({
      outcome: 'pass',
      observed: '50 subrequests accepted, 51 refused (HTTP 413)',
      because: 'the line is where the document draws it, at 50'
    })
  })

  test('the worst one decides and is named', () => {
    const all = [
      { variant: 'fetch', boundary: well },
      { variant: 'cache', boundary: open },
      { variant: 'queue', boundary: well },
      { variant: '', boundary: boundary('unclear', '', 'no answer') }
    ]
    expect(judgeLimit(fifty, all, '50')).toEqual({
      outcome: 'fail',
      observed:
        'fetch, queue: 50 subrequests accepted, 51 refused (HTTP 413); ' +
        'cache: 51 subrequests accepted, 52 refused (HTTP 413); plain: no clear boundary',
      because: 'cache: 51 is accepted, but the document says 50'
    })
  })

  test.each([
    ['unclear', 'closed', 'inconclusive'],
    ['closed', 'found', 'blocked'],
    ['unclear', 'found', 'inconclusive'],
    ['unlimited', 'unclear', 'fail']
  ] as const)('%s beside %s: %s', (one, other, outcome) => {
    const of = { unclear: '', closed: '1!', found: '50+ 51-', unlimited: '200+' }
    const all = [one, other].map((kind) => ({ variant: kind, boundary: boundary(kind, of[kind]) }))
    expect(judgeLimit(fifty, all, '50').outcome).toBe(outcome)
  })

  test('no variant at all is no pass', () => {
    expect(judgeLimit(fifty, [], '50').outcome).toBe('inconclusive')
  })
})

describe('verdicts never improve when evidence worsens', () => {
  const options = { seed: 1 }
  const refusals = fc.array(fc.constantFrom('-', '!'), { minLength: 1, maxLength: 4 })
  const found = fc.record({ accepted: fc.nat(120), signs: refusals }).map(({ accepted, signs }) => {
    const refused = signs.map((sign) => `${accepted + 1}${sign}`).join(' ')
    return boundary('found', `${accepted}+ ${refused}`)
  })
  const any = fc.oneof(
    found,
    fc.constant(boundary('unclear', '', 'no answer')),
    fc.constantFrom('1!', '1-').map((asked) => boundary('closed', asked)),
    fc.nat(200).map((value) => boundary('unlimited', `${value}+`))
  )
  const askings = fc
    .array(any, { minLength: 1, maxLength: 4 })
    .map((all) => all.map((one, index) => ({ variant: `v${index}`, boundary: one })))
  const rank = (outcome: Outcome) => outcomes.indexOf(outcome)

  test('a pass means the readings hold the line and every refusal is proper', () => {
    const limit = { clause: 'c', max: 40, unit: 'things', readings: [40, 60] }
    fc.assert(
      fc.property(found, (one) => {
        const { outcome } = judgeLimit(limit, [{ variant: '', boundary: one }], 'DOC')
        const within = one.accepted! >= 40 && one.accepted! <= 60
        const proper = one.asked.every((asked) => asked.proper)
        expect(outcome === 'pass').toBe(within && proper)
        if (!within) expect(outcome).toBe('fail')
      }),
      options
    )
  })

  test('another variant only makes it worse, or leaves it', () => {
    fc.assert(
      fc.property(askings, any, (all, one) => {
        const before = judgeLimit(fifty, all, 'DOC').outcome
        const after = judgeLimit(fifty, [...all, { variant: 'more', boundary: one }], 'DOC').outcome
        expect(rank(after)).toBeLessThanOrEqual(rank(before))
      }),
      options
    )
  })

  test('spoiling one refusal never helps', () => {
    fc.assert(
      fc.property(found, fc.nat(), (one, at) => {
        const judged = (asked: Boundary['asked']) =>
          judgeLimit(fifty, [{ variant: '', boundary: { ...one, asked } }], 'DOC').outcome
        const spoilt = one.asked.map((asked, index) =>
          index > 0 && index === 1 + (at % (one.asked.length - 1))
            ? { ...asked, proper: false }
            : asked
        )
        expect(rank(judged(spoilt))).toBeLessThanOrEqual(rank(judged(one.asked)))
      }),
      options
    )
  })

  test('losing a boundary never makes a pass', () => {
    fc.assert(
      fc.property(askings, fc.nat(), (all, at) => {
        const lost = all.map((one, index) =>
          index === at % all.length ? { ...one, boundary: boundary('unclear', '', 'lost') } : one
        )
        expect(['fail', 'inconclusive']).toContain(judgeLimit(fifty, lost, 'DOC').outcome)
      }),
      options
    )
  })
})
