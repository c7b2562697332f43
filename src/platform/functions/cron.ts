import { refusal } from './refusal.ts'

/** When a trigger fires: for each part of a moment in UTC, which values it may have. */
export type Cron = {
  minutes: Set<number>
  hours: Set<number>
  days: Set<number>
  months: Set<number>
  weekdays: Set<number>
  /** Whether a day need only be one of the days or of the weekdays, since both are named. */
  isEither: boolean
}

const minuteMs = 60_000
/** The longest that any date is away: 29 February, over a century that is no leap year. */
const farthestDays = 8 * 366

const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']
const weekdays = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']

/**
 * Reads five fields: minute, hour, day of the month, month and day of the week (0 and 7 are
 * Sunday). Each is `*` or a list of numbers, names and ranges, any with `/` and a stride.
 */
export function readCron(text: string): Cron {
  const fields = text.trim().split(/\s+/)
  if (fields.length !== 5) throw malformed(text, 'it needs five fields')
  const [minute, hour, day, month, weekday] = fields as [string, string, string, string, string]
  const read = (field: string, from: number, to: number, names: string[] = []) => {
    const values = valuesIn(field.toUpperCase(), { from, to, names })
    if (values === undefined || values.length === 0)
      throw malformed(text, `"${field}" means nothing`)
    return new Set(values)
  }
  return {
    minutes: read(minute, 0, 59),
    hours: read(hour, 0, 23),
    days: read(day, 1, 31),
    months: read(month, 1, 12, ['', ...months]),
    weekdays: new Set([...read(weekday, 0, 7, weekdays)].map((value) => value % 7)),
    isEither: !day.startsWith('*') && !weekday.startsWith('*')
  }
}

/** The first moment after this one at which it fires; undefined when it never does. */
export function nextAfter(cron: Cron, afterMs: number): number | undefined {
  const first = new Date((Math.floor(afterMs / minuteMs) + 1) * minuteMs)
  for (let ahead = 0; ahead <= farthestDays; ahead++) {
    const year = first.getUTCFullYear()
    const day = new Date(Date.UTC(year, first.getUTCMonth(), first.getUTCDate() + ahead))
    if (!isOn(cron, day)) continue
    for (const hour of inOrder(cron.hours))
      for (const minute of inOrder(cron.minutes)) {
        const at = day.getTime() + (hour * 60 + minute) * minuteMs
        if (at >= first.getTime()) return at
      }
  }
  return undefined
}

function isOn({ days, months, weekdays, isEither }: Cron, date: Date): boolean {
  if (!months.has(date.getUTCMonth() + 1)) return false
  const isDay = days.has(date.getUTCDate())
  const isWeekday = weekdays.has(date.getUTCDay())
  return isEither ? isDay || isWeekday : isDay && isWeekday
}

const inOrder = (values: Set<number>) => [...values].sort((one, other) => one - other)

type Span = { from: number; to: number; names: string[] }

function valuesIn(field: string, span: Span): number[] | undefined {
  const parts = field.split(',').map((part) => rangeIn(part, span))
  return parts.includes(undefined) ? undefined : (parts as number[][]).flat()
}

function rangeIn(part: string, { from, to, names }: Span): number[] | undefined {
  const found = /^(?:\*|(\w+)(?:-(\w+))?)(?:\/(\d+))?$/.exec(part)
  if (!found) return undefined
  const [, low, high, every] = found
  const numberOf = (text: string) => {
    const named = text === '' ? -1 : names.indexOf(text)
    return named >= 0 ? named : /^\d+$/.test(text) ? Number(text) : Number.NaN
  }
  const first = low === undefined ? from : numberOf(low)
  // A single value with a stride runs on to the end, as `5/10` does.
  const open = low === undefined || every !== undefined
  const last = high !== undefined ? numberOf(high) : open ? to : first
  const stride = Number(every ?? 1)
  if (!(first >= from && last <= to && first <= last && stride > 0)) return undefined
  return Array.from(
    { length: Math.floor((last - first) / stride) + 1 },
    (_, index) => first + index * stride
  )
}

function malformed(text: string, because: string) {
  return refusal('cron', `"${text.slice(0, 100)}" is no schedule: ${because}`)
}
