import type { ImportedOperation } from './operations.ts'
import { type Located, pointerTo } from './source.ts'

/** A rate that an extension of OpenAPI states: so many requests in so many seconds. */
export type ImportedRate = { requests: number; seconds: number; pointer: string }

const names = ['x-ratelimit', 'x-rate-limit', 'x-rateLimit', 'x-rate-limits', 'x-ratelimits']
const counts = ['limit', 'requests', 'rate', 'max', 'quota', 'value']
const windows = ['window', 'period', 'per', 'interval', 'unit', 'seconds']
const units: Record<string, number> = {
  ...{ second: 1, sec: 1, s: 1, minute: 60, min: 60, m: 60, hour: 3_600, h: 3_600 },
  ...{ day: 86_400, d: 86_400 }
}

/** Seconds of a window as people write it: 60, `60s`, `1 minute`, `hour`. */
export function secondsOf(window: unknown): number | undefined {
  if (typeof window === 'number' && window > 0) return window
  if (typeof window !== 'string') return
  const [, number, unit] = /^(\d+)?\s*([a-z]*)$/i.exec(window.trim()) ?? []
  const name = (unit ?? '').toLowerCase()
  const size = name === '' ? 1 : (units[name] ?? units[name.replace(/s$/, '')])
  if (size === undefined || (number === undefined && name === '')) return
  return Number(number ?? 1) * size
}

function rateAt({ value, pointer }: Located): ImportedRate | undefined {
  const [, number, unit] = /^(\d+)\s*(?:\/|per)\s*(.+)$/.exec(String(value)) ?? []
  const said = number === undefined ? Object(value) : { limit: Number(number), per: unit }
  const requests = counts.map((name) => said[name]).find((one) => Number.isSafeInteger(one))
  const seconds = windows.map((name) => secondsOf(said[name])).find((one) => one !== undefined)
  if (requests === undefined || requests < 1 || seconds === undefined) return
  return { requests, seconds, pointer }
}

/** What an operation's own extension says of its rate; there is no standard, but few ways. */
export function rateOf({ value, pointer }: ImportedOperation): ImportedRate | undefined {
  for (const name of names) {
    const said = value[name]
    const first = Array.isArray(said) ? said[0] : said
    if (first === undefined) continue
    const rate = rateAt({ value: first, pointer: pointerTo(pointer, name) })
    if (rate !== undefined) return rate
  }
  return undefined
}
