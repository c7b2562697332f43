import { expect, test } from 'vitest'
import { createTranscript } from '../../../../src/platform/functions/isolate/transcript.ts'

const line = (text: string) => ({ atMs: 0, level: 'log', text })

function recordOf(limit: number, lines: string[]) {
  const transcript = createTranscript(limit)
  for (const text of lines) transcript.line(line(text))
  const { logs, isTruncated } = transcript.recorded()
  return { texts: logs.map(({ text }) => text), isTruncated }
}

test.each([
  { what: 'all that fits', lines: ['abc', 'de'], texts: ['abc', 'de'], isTruncated: false },
  { what: 'what fits of a line', lines: ['abc', 'def'], texts: ['abc', 'de'], isTruncated: true },
  { what: 'nothing after it', lines: ['abcdef', 'g'], texts: ['abcde'], isTruncated: true },
  {
    what: 'nothing of what is one too much',
    lines: ['abcde', 'f'],
    texts: ['abcde'],
    isTruncated: true
  },
  { what: 'bytes, not characters', lines: ['ää', 'ö'], texts: ['ää'], isTruncated: true },
  { what: 'whole characters', lines: ['a€€'], texts: ['a€'], isTruncated: true },
  { what: 'characters of four bytes', lines: ['😀😀'], texts: ['😀'], isTruncated: true }
])('five bytes hold $what', ({ lines, texts, isTruncated }) => {
  expect(recordOf(5, lines)).toEqual({ texts, isTruncated })
})

test('the request comes first, then logs, then the exception, all in one limit', () => {
  const transcript = createTranscript(30)
  transcript.request({
    method: 'GET',
    url: 'http://x/',
    headers: [
      ['a', 'b'],
      ['c', 'd']
    ]
  })
  transcript.line(line('1234567890'))
  transcript.exception({ name: 'Error', message: 'no more' })
  expect(transcript.recorded()).toEqual({
    request: {
      method: 'GET',
      url: 'http://x/',
      headers: [
        ['a', 'b'],
        ['c', 'd']
      ]
    },
    logs: [line('1234567890')],
    exception: { name: 'Error', message: '' },
    isTruncated: true
  })
})

test('empty lines are no way to have more and more recorded', () => {
  const lines = Array.from({ length: 4_097 }, () => '')
  expect(recordOf(5, lines.slice(1))).toEqual({ texts: lines.slice(1), isTruncated: false })
  expect(recordOf(5, lines)).toEqual({ texts: lines.slice(1), isTruncated: true })
  expect(recordOf(Infinity, lines).texts).toHaveLength(4_097)
})

test('headers that do not fit are left out', () => {
  const transcript = createTranscript(16)
  transcript.request({
    method: 'GET',
    url: 'http://x/',
    headers: [
      ['a', 'b'],
      ['cc', 'dd']
    ]
  })
  expect(transcript.recorded().request?.headers).toEqual([['a', 'b']])
  expect(transcript.recorded().isTruncated).toBe(true)
})

test('without a limit everything is kept', () => {
  const kept = recordOf(Infinity, ['abcdefgh', 'i'])
  expect(kept).toEqual({ texts: ['abcdefgh', 'i'], isTruncated: false })
})
