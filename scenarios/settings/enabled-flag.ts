import { setTimeout as sleep } from 'node:timers/promises'
import { check, type Reply } from 'plimsoll'
import * as type from '../_field-type.ts'
import { isServed, item } from '../_reply.ts'
import { type Settings, settingsLock, withSettings } from '../_settings.ts'
import { largest } from '../_zone.ts'

const toTrue = 'page-protection.enabled.false-to-true'
const toFalse = 'page-protection.enabled.true-to-false'
const updatedAtSet = 'page-protection.enabled.updated-at-set'

/** How long is waited before the flag goes on; a timestamp may count whole seconds. */
const pauseMs = 1_300
const second = 1_000

/** How long to wait for a timestamp to move on: until its last digit counts one more. */
function resolutionMs(timestamp: unknown, enabled: boolean): number {
  if (enabled) return pauseMs
  const digits = /\.(\d+)/.exec(`${timestamp}`)?.[1]?.length ?? 0
  return second / 10 ** Math.min(3, digits) + 1
}

/** The settings before and after the flag was set. */
async function transition(
  { read, turn }: Settings,
  enabled: boolean
): Promise<[before: Reply, put: Reply, after: Reply]> {
  const before = await read()
  await sleep(resolutionMs(item(before).updated_at, enabled))
  return [before, await turn(enabled), await read()]
}

export default check({
  title: 'The flag goes on and off by an update, which sets the time of the last update',
  clauses: [toTrue, toFalse, updatedAtSet],
  needs: ['management'],
  alone: [settingsLock],
  async run({ management, zones, verify }) {
    await withSettings({ management, zone: largest(zones) }, async (settings) => {
      await settings.turn(false)
      for (const enabled of [true, false]) {
        const replies = await transition(settings, enabled)
        const [was, is] = [item(replies[0]), item(replies[2])]
        // From anywhere else, or without an update, it would be no transition.
        if (was.enabled !== !enabled || !isServed(replies[1])) continue
        const flag = { holds: is.enabled === enabled, saw: `${was.enabled}, then ${is.enabled}` }
        verify(enabled ? toTrue : toFalse, flag, ...replies)
        if (is.enabled !== enabled) continue
        if (![was, is].every((settings) => type.timestamp.is(settings.updated_at))) continue
        // A clock that runs has gone on for as long as was waited, but for its resolution.
        const leastMs = enabled ? pauseMs - second : 1
        const times = {
          holds: Date.parse(is.updated_at) - Date.parse(was.updated_at) >= leastMs,
          saw: `${was.updated_at}, then ${is.updated_at}`
        }
        verify(updatedAtSet, times, ...replies)
      }
    })
  }
})
