import { check } from 'plimsoll'
import { type Item, isBesideThePoint, isServed, item, quoted } from '../_reply.ts'
import { settingsLock, withSettings } from '../_settings.ts'
import { largest } from '../_zone.ts'

const update = 'page-protection.settings.update'
const onlyTwo = 'page-protection.settings.update-returns-only-two-fields'
const returned = ['enabled', 'updated_at']

/** The other fields of settings that say how something is done, with the values that they have. */
const uses = (settings: Item): Item =>
  Object.fromEntries(Object.entries(settings).filter(([field]) => /^use_/.test(field)))

export default check({
  title: 'Updating the settings returns the new flag and the time of the update, and only those',
  clauses: [update, onlyTwo],
  needs: ['management'],
  alone: [settingsLock],
  async run({ management, zones, verify }) {
    await withSettings({ management, zone: largest(zones) }, async ({ turn, read }) => {
      for (const enabled of [true, false]) {
        const before = item(await read())
        const reply = await turn(enabled)
        if (isBesideThePoint(reply)) continue
        const [result, after] = [item(reply), item(await read())]
        // No other was sent; of fields that are not documented nothing is said.
        const odd = Object.keys(uses(before)).find((field) => before[field] !== after[field])
        const kept = `${odd ?? 'the rest'}, then ${quoted(odd && after[odd])}`
        if (isServed(reply)) verify(update, { holds: odd === undefined, saw: kept }, reply)
        const saw = `${reply.because}, result ${quoted(reply.json?.result)}`
        // Whether the flag is a boolean is the matter of its own clause.
        const isFlag = `${result.enabled}` === `${enabled}`
        const isUpdated = isServed(reply) && isFlag && 'updated_at' in result
        verify(update, { holds: isUpdated, saw }, reply)
        // Whether others can be sent is not said; served, they change nothing of what is returned.
        for (const one of [reply, await turn(enabled, uses(before))]) {
          const fields = Object.keys(item(one))
          if (fields.length === 0) continue
          const holds = fields.every((field) => returned.includes(field))
          verify(onlyTwo, { holds, saw: `${one.because}, result ${quoted(item(one))}` }, one)
        }
      }
    })
  }
})
