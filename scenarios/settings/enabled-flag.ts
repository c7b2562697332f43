import { setTimeout as sleep } from 'node:timers/promises'
import { check, type Reply } from 'plimsoll'
import * as type from '../_field-type.ts'
import { isServed, item } from '../_reply.ts'
import { type Settings, settingsLock, withSettings } from '../_settings.ts'

const toTrue = 'page-protection.enabled.false-to-true'
const toFalse = 'page-protection.enabled.true-to-false'
const updatedAtSet = 'page-protection.enabled.updated-at-set'

/** How long is waited before the flag goes on; a timestamp may count whole seconds. */
const pauseMs = 1_300
const second = 1_000

/** Where the flag goes, and whether all that was read is sent back with it, as clients do. */
const turns: [enabled: boolean, isWhole: boolean][] = [
  [true, false],
  [false, true],
  [true, true],
  [false, false]
]

/** How long to wait for a timestamp to move on: until its last digit counts one more. */
function resolutionMs(timestamp: unknown): number {
  const digits = /\.(\d+)/.exec(`${timestamp}`)?.[1]?.length ?? 0
  return second / 10 ** Math.min(3, digits) + 1
}

/** The settings before, the same once it was waited, the update, and the settings after it. */
async function transition(
  { read, turn }: Settings,
  { enabled, isWhole, isFirst }: { enabled: boolean; isWhole: boolean; isFirst: boolean }
): Promise<[Reply, Reply, Reply, Reply]> {
  const before = await read()
  await sleep(isFirst ? pauseMs : resolutionMs(item(before).updated_at))
  const still = await read()
  const turned = await turn(enabled, isWhole ? item(still) : {})
  // Which other fields an update takes is not said.
  const isTaken = isServed(turned) || !isWhole
  return [before, still, isTaken ? turned : await turn(enabled), await read()]
}

/** What is wrong with the times of a transition in which the clock went on by so much at least. */
function oddTimes(times: unknown[], leastMs: number): string | undefined {
  const [was = 0, still = 0, told = 0, is = 0] = times.map((time) => Date.parse(`${time}`))
  if (was !== still) return 'moved without an update'
  if (is - still < leastMs) return 'did not move'
  return Math.abs(told - is) > second ? 'is not what the update said' : undefined
}

export default check({
  title: 'The flag goes on and off by an update, which sets the time of the last update',
  clauses: [toTrue, toFalse, updatedAtSet],
  needs: ['management'],
  alone: [settingsLock],
  async run({ management, zones, verify }) {
    const judge = async (settings: Settings) => {
      await settings.turn(false)
      for (const [nth, [enabled, isWhole]] of turns.entries()) {
        const isFirst = nth === 0
        const replies = await transition(settings, { enabled, isWhole, isFirst })
        const [was, is] = [item(replies[1]), item(replies[3])]
        // From anywhere else, or without an update, it would be no transition.
        if (was.enabled !== !enabled || !isServed(replies[2])) continue
        const flag = { holds: is.enabled === enabled, saw: `${was.enabled}, then ${is.enabled}` }
        verify(enabled ? toTrue : toFalse, flag, ...replies)
        const times = replies.map((reply) => item(reply).updated_at)
        // What the update says is the matter of its own clause.
        if (is.enabled !== enabled || !times.toSpliced(2, 1).every(type.timestamp.is)) continue
        // A clock that runs has gone on for as long as was waited, but for its resolution.
        const odd = oddTimes(times, isFirst ? pauseMs - second : 1)
        const saw = `${odd ?? 'moved'}: ${times.join(', ')}`
        verify(updatedAtSet, { holds: odd === undefined, saw }, ...replies)
      }
    }
    const all = new Set(Object.values(zones))
    await Promise.all([...all].map((zone) => withSettings({ management, zone }, judge)))
  }
})
