import type { Claimed } from './claims.ts'

/** What is above is a time since the epoch in seconds, or in milliseconds. */
const epochSeconds = 1e9
const epochMs = 1e11

/** A time that is told in seconds from now, in seconds or ms since the epoch, or as a date. */
export function timeIn(field: string, text: string, serverMs: number): Claimed[] {
  const number = /^\s*-?\d+(\.\d+)?\s*$/.test(text) ? Number(text) : undefined
  if (number === undefined) {
    // Of words with a number in them a lenient parser makes a day as well.
    const date = /\d:\d\d/.test(text) ? Date.parse(text) : Number.NaN
    return Number.isNaN(date) ? [] : [{ field, ...dayAt(date, serverMs), text }]
  }
  if (number > epochMs) return [{ field, ...dayAt(number, serverMs), text }]
  if (number > epochSeconds) return [{ field, ...dayAt(1_000 * number, serverMs), text }]
  return [{ field, value: 1_000 * number, text }]
}

function dayAt(at: number, date: number): Pick<Claimed, 'value' | 'day'> {
  return { value: at - date, day: { at, date } }
}

/**
 * By how many ms a time may be rounded: to a second where it is told in whole ones, to a tenth
 * where it is told in those, and so on.
 */
export function roundedBy({ value, day }: Claimed): number {
  const ms = Math.round(day?.at ?? value)
  return [1_000, 100, 10].find((unit) => ms % unit === 0) ?? 1
}

const unitsMs = new Map([
  ['ns', 1e-6],
  ['us', 1e-3],
  ['µs', 1e-3],
  ['ms', 1],
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000]
])

/** A time that is told with its units, such as `6m0s` or `20ms`. */
export function durationIn(field: string, text: string): Claimed[] {
  if (!/^\s*-?(?:\d+(?:\.\d+)?(?:ns|us|µs|ms|s|m|h|d))+\s*$/.test(text)) return []
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)([a-zµ]+)/g)]
  const ms = parts.reduce((sum, [, number, unit]) => sum + Number(number) * unitsMs.get(unit!)!, 0)
  return [{ field, value: text.includes('-') ? -ms : ms, text: text.trim() }]
}
