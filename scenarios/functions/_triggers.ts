import type { Context, Judge } from 'plimsoll'
import { cameTo, type Startable, startable } from './_events.ts'
import type { CallableServer } from './_stage.ts'

const minuteMs = 60_000
export const dayMs = 24 * 60 * minuteMs

/** When a trigger has to fire to do so at a moment: on its date, or on its day of the week. */
function cronAt(ms: number, by: 'date' | 'weekday'): string {
  const at = new Date(ms)
  const [day, month, weekday] = [at.getUTCDate(), at.getUTCMonth() + 1, at.getUTCDay()]
  const days = by === 'date' ? `${day} ${month} *` : `* * ${weekday}`
  return `${at.getUTCMinutes()} ${at.getUTCHours()} ${days}`
}

/** When a trigger has to fire to do so in each hour, at the minutes of these moments. */
function cronHourly(...moments: number[]): string {
  return `${moments.map((ms) => new Date(ms).getUTCMinutes())} * * * *`
}

/**
 * Triggers before and after midnight, one of them of another function, one that fires twice in each
 * hour, and others much later.
 */
export async function judgeScheduled(context: Context & Judge, server: CallableServer) {
  const { adapter, verify } = context
  const channel = server.channel('scheduled')
  const mine = await startable(context, { channel, name: 'mine' })
  const other = await startable(context, { channel, name: 'other' })
  const toEvening = dayMs - 11 * minuteMs - ((await adapter.clock(0)) % dayMs)
  const now = await adapter.clock(toEvening > 0 ? toEvening : toEvening + dayMs)
  const after = (minutes: number) => now + minutes * minuteMs
  const triggers: [of: Startable, cron: string][] = [
    [mine, cronAt(after(1), 'date')],
    [mine, cronHourly(after(10), after(40))],
    [mine, cronAt(after(20), 'weekday')],
    [mine, cronAt(after(200), 'date')],
    [mine, cronAt(after(30 - 24 * 60), 'weekday')],
    [mine, cronAt(after(50 - 24 * 60), 'date')],
    [other, cronAt(after(20), 'weekday')]
  ]
  for (const [of, cron] of triggers) {
    const said = await adapter.trigger(of.function, cron)
    if (said.accepted) continue
    const saw = `the trigger "${cron}" is refused: ${said.because}`
    verify('functions.event.scheduled', { holds: false, saw }, await mine.ask({ do: 'count' }))
    return
  }
  const [first, second] = ['mine', 'other'].map((name) => `scheduled ${name}`) as [string, string]
  const steps: [minutes: number, names: string[]][] = [
    [2, [first]],
    [8, [first]],
    [12, [first, first]],
    [22, [first, first, first, second]],
    [42, [first, first, first, first, second]],
    [62, [first, first, first, first, second]],
    [72, [first, first, first, first, first, second]]
  ]
  for (const [minutes, names] of steps) {
    await adapter.clock(after(minutes) - (await adapter.clock(0)))
    const seen = await cameTo(channel, names)
    const reply = await mine.ask({ do: 'count' })
    const saw = `after ${minutes} minutes those due after 1, 10, 20, 40 and 70: ${seen.saw}`
    verify('functions.event.scheduled', { ...seen, saw }, reply)
    if (!seen.holds) return
  }
}
