import type { ImportedOperation } from './operations.ts'
import { isObject, pointerTo } from './source.ts'

/** A rate that an extension of OpenAPI states: so many requests in so many seconds. */
export type ImportedRate = { requests: number; seconds: number; pointer: string }

const names = ['x-ratelimit', 'x-rate-limit', 'x-rateLimit', 'x-rate-limits', 'x-ratelimits']
const counts = [
  'limit',
  'requests',
  'maxRequests',
  'rate',
  'max',
  'quota',
  'count',
  'value',
  'calls'
]
const windows = [
  'window',
  'windowSeconds',
  'period',
  'per',
  'interval',
  'timeframe',
  'unit',
  'seconds'
]
const units: Record<string, number> = {
  ...{ millisecond: 0.001, ms: 0.001, second: 1, sec: 1, s: 1, minute: 60, min: 60, m: 60 },
  ...{ hour: 3_600, hr: 3_600, h: 3_600, day: 86_400, d: 86_400, week: 604_800, w: 604_800 }
}

/** The seconds of a duration as ISO 8601 writes it, up to weeks: `PT1M`, `P1DT12H`. */
function isoSeconds(text: string): number | undefined {
  const form = /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:[.,]\d+)?)S)?)?$/i
  const parts = form
    .exec(text)
    ?.slice(1)
    .map((part) => Number((part ?? '0').replace(',', '.')))
  const sizes = [604_800, 86_400, 3_600, 60, 1]
  const sum = parts?.reduce((total, part, index) => total + part * sizes[index]!, 0)
  return sum ? sum : undefined
}

/** Seconds of a window as people write it: 60, `60s`, `1 minute`, `hour`, `PT1M`. */
export function secondsOf(window: unknown): number | undefined {
  if (typeof window === 'number') return window > 0 ? window : undefined
  if (isObject(window)) {
    const { amount, value = amount ?? 1, unit } = window
    const one = typeof unit === 'string' ? secondsOf(unit) : undefined
    return typeof value === 'number' && one !== undefined ? secondsOf(value * one) : undefined
  }
  if (typeof window !== 'string') return
  const text = window.trim()
  const [, number, unit] = /^(\d+(?:\.\d+)?)?\s*([a-z]*)$/i.exec(text) ?? []
  if (unit === undefined || (number === undefined && unit === '')) return isoSeconds(text)
  const name = unit.toLowerCase().replace(/^dai/, 'day').replace(/ly$/, '')
  const size = name === '' ? 1 : (units[name] ?? units[name.replace(/s$/, '')])
  return size === undefined ? isoSeconds(text) : secondsOf(Number(number ?? 1) * size)
}

/** A count of requests, as a number or as a text: 100, `1,000`. */
export function requestsIn(said: unknown): number | undefined {
  const isText = typeof said === 'string' && /^(\d+|\d{1,3}([,_]\d{3})+)$/.test(said)
  const number = isText ? Number(said.replaceAll(/[,_]/g, '')) : said
  return Number.isSafeInteger(number) && Number(number) > 0 ? Number(number) : undefined
}

type Rate = Pick<ImportedRate, 'requests' | 'seconds'>

const rateOfBoth = (requests: unknown, window: unknown): Rate | undefined => {
  const [number, seconds] = [requestsIn(requests), secondsOf(window)]
  return number === undefined || seconds === undefined ? undefined : { requests: number, seconds }
}

/** A rate as a text: `100/minute`, `100 requests per 10 s`, `100;w=60`. */
function rateInText(text: string): Rate | undefined {
  const between = '\\s*(?:/|per\\b|every\\b|in\\b|;\\s*w=)\\s*'
  const form = new RegExp(`^([\\d,_]+)\\s*(?:requests?|reqs?|calls?|r)?${between}(.+)$`, 'i')
  const [, number, window] = form.exec(text.trim()) ?? []
  return rateOfBoth(number, window)
}

/** A rate by a field called as its window is: `{ minute: 100 }`, `{ requestsPerSecond: 5 }`. */
function rateInNames(said: Record<string, unknown>): Rate | undefined {
  const rates = Object.entries(said).flatMap(([name, count]) => {
    const words = name.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
    const [, window] =
      /^(?:(?:requests?|calls?|rate|limit)[ _-])?(?:per[ _-])?([a-z]+)$/.exec(words) ?? []
    return (window && rateOfBoth(count, window)) || []
  })
  // One that can be waited for, where there are several.
  return rates.toSorted((one, other) => one.seconds - other.seconds)[0]
}

function rateIn(said: unknown): Rate | undefined {
  if (typeof said === 'string') return rateInText(said)
  if (!isObject(said)) return
  const field = (list: readonly string[]) => {
    const plain = (name: string) => name.toLowerCase().replaceAll(/[^a-z]/g, '')
    const found = list.flatMap((name) =>
      Object.entries(said).flatMap(([key, value]) =>
        plain(key) === plain(name) && value != null ? [value] : []
      )
    )
    return found
  }
  const requests = field(counts).find((one) => requestsIn(one) !== undefined)
  const { windowMs } = said
  const window =
    typeof windowMs === 'number'
      ? windowMs / 1_000
      : field(windows).find((one) => secondsOf(one) !== undefined)
  const nested = field(counts)
    .map(rateIn)
    .find((one) => one !== undefined)
  return rateOfBoth(requests, window) ?? nested ?? rateInNames(said)
}

/** What an operation's own extension says of its rate: there is no standard, but some ways. */
export function rateOf({ value, pointer }: ImportedOperation): {
  rate?: ImportedRate
  /** Pointers to what says one otherwise, or another one. */
  unread: string[]
} {
  const said = names.flatMap((name) => {
    const all = value[name] === undefined ? [] : [value[name]].flat()
    const isList = Array.isArray(value[name])
    return all.map((one: unknown, index: number) => ({
      rate: rateIn(one),
      pointer: pointerTo(pointer, name, ...(isList ? [index] : []))
    }))
  })
  const first = said.find(({ rate }) => rate !== undefined)
  return {
    ...(first && { rate: { ...first.rate!, pointer: first.pointer } }),
    unread: said.filter((one) => one !== first).map((one) => one.pointer)
  }
}
