import { expect, test } from 'vitest'
import type { Burst, Sighting } from '../../src/limit/rate-question.ts'
import { agreedOn, lateIn, roomIn } from '../../src/limit/rate-room.ts'

/** A wave of one every 5 ms, each of which is decided on as it is sent; refused as they say. */
function wave(kinds: string, tookMs: (at: number) => number = () => 2): Burst {
  const seen = [...kinds].map((kind, at): Sighting => {
    const sent = 5 * at
    const isRefused = kind === '-'
    const answered = sent + tookMs(at) + (isRefused || at === 0 ? 0 : 20 * at)
    return { kind: isRefused ? 'rejected' : 'accepted', status: 200, sent, answered }
  })
  const accepted = seen.filter(({ kind }) => kind === 'accepted').length
  return { accepted, first: { from: 0, to: 2 }, tookMs: 0, seen }
}

test('as many as were taken before one was refused, but for those that went on', () => {
  expect(roomIn(wave('++++++-'), { spacingMs: 100 })).toEqual({ from: 6, to: 6 })
  // The seventh was refused 30 ms after the first was taken, so that one had gone on.
  expect(roomIn(wave('++++++-'), { spacingMs: 25 })).toEqual({ from: 5, to: 5 })
  expect(roomIn(wave('++++++'), { spacingMs: 100 })).toBeUndefined()
})

test('where it is not known when one was decided on, more than one number is left', () => {
  // The last may have been taken once the first that waited went on.
  const late = wave('++++++-', (at) => (at === 6 ? 80 : 2))
  expect(roomIn(late, { spacingMs: 100 })).toEqual({ from: 5, to: 6 })
  expect(roomIn(wave('++++++-'), { spacingMs: 100, lateMs: lateIn(late) })).toEqual({
    from: 5,
    to: 6
  })
})

test('what there was time for has not gone on where none of it was answered', () => {
  // As many may have gone on by then as there was time for, and as few as were answered.
  const still = wave('++++++-', (at) => (at > 0 && at < 6 ? 100 : 2))
  expect(roomIn(still, { spacingMs: 25 })).toEqual({ from: 5, to: 6 })
  expect(roomIn(wave('++++++-'), { spacingMs: 25, free: 2 })).toEqual({ from: 5, to: 6 })
})

test('a number has to be allowed by four more than any other, and by most', () => {
  const span = (from: number, to: number) => ({ from, to })
  const four = [span(6, 6), span(5, 6), span(6, 7), span(6, 6)]
  expect(agreedOn(four)).toBeUndefined()
  expect(agreedOn(four, 3)).toBe(6)
  expect(agreedOn([...four, span(6, 6)])).toBe(6)
  const odd = [span(9, 9), span(9, 9), span(9, 9)]
  expect(agreedOn([...four, span(6, 6), span(6, 6), ...odd])).toBeUndefined()
  expect(agreedOn([])).toBeUndefined()
})
