import { expect, test } from 'vitest'
import {
  entryLines,
  isLineClear,
  type LineName,
  lineEntry
} from '../../../src/cli/terminal/line-entry.ts'
import type { Http2Found } from '../../../src/limit/http2/survey.ts'

const repeats = { accepted: 3, rejected: 3 }
const found = (accepted: number, how: string, variant = '') => ({
  ...{ variant, how },
  boundary: {
    kind: 'found' as const,
    ...{ accepted, rejected: accepted + 1, repeats, because: '', asked: [] }
  }
})
const unlimited = {
  ...{ variant: '', how: null },
  boundary: {
    kind: 'unlimited' as const,
    ...{ accepted: 2_000, repeats, because: '', asked: [] }
  }
}

test.each<[LineName, Http2Found, string[], boolean]>([
  [
    'streams',
    { unit: 'streams', announced: 128, lines: [found(1, 'RST_STREAM (REFUSED_STREAM)')] },
    ['1 stream accepted, 2 refused (RST_STREAM (REFUSED_STREAM))', 'announced: 128 streams'],
    true
  ],
  [
    'header-list',
    {
      ...{ unit: 'bytes', announced: null },
      lines: [
        {
          ...found(8_192, 'HTTP 431', 'one long field'),
          reading: { what: "the longest field's value", number: 8_192, isBelow: false }
        },
        found(16_384, 'HTTP 431', 'many fields')
      ]
    },
    [
      'one long field: 8,192 bytes accepted, 8,193 refused (HTTP 431)',
      "counted: the longest field's value, up to 8 KiB",
      'many fields: 16,384 bytes accepted, 16,385 refused (HTTP 431)'
    ],
    true
  ],
  [
    'resets',
    {
      ...{ unit: 'resets', announced: null, lines: [found(100, 'GOAWAY (INTERNAL_ERROR)')] },
      pace: { accepted: 20.1, rejected: 41.23 }
    },
    [
      '100 resets accepted, 101 refused (GOAWAY (INTERNAL_ERROR))',
      'then 20 a second accepted, 41 refused'
    ],
    true
  ],
  [
    'pings',
    {
      ...{ unit: 'pings', announced: null, lines: [found(100, 'closed')] },
      pace: { accepted: 0, rejected: 0.25 }
    },
    ['100 pings accepted, 101 refused (closed)', 'and not one ping a second then'],
    true
  ],
  [
    'resets',
    { unit: 'resets', announced: null, lines: [found(9, 'closed')], pace: null },
    ['9 resets accepted, 10 refused (closed)', 'how many a second then is unclear'],
    false
  ],
  [
    'pings',
    { unit: 'pings', announced: null, lines: [unlimited] },
    ['no limit up to 2,000 pings'],
    true
  ],
  [
    'windows',
    {
      ...{ stream: 65_535, connection: 131_072, opensAfter: 32_768, sent: 40_000, bytes: 90_000 },
      ...{ status: null, because: 'closed' }
    },
    [
      '65,535 bytes a stream, 131,072 a connection',
      'opened again once 32,768 bytes were sent; 40,000 of 90,000 bytes of a body were sent: closed'
    ],
    true
  ],
  [
    'message',
    { unit: 'bytes', announced: null, lines: [found(9, 'close 1009 (\x1b[2J\nno)')] },
    ['9 bytes accepted, 10 refused (close 1009 (␛[2J no))'],
    true
  ],
  ['streams', { outcome: 'inconclusive', because: 'silence' }, ['not to be found: silence'], false]
])('%s is told in lines, and whether it is clear', (limit, told, lines, isClear) => {
  const entry = lineEntry(limit, told)
  expect(entryLines(entry)).toEqual(lines)
  expect(isLineClear(entry)).toBe(isClear)
})
