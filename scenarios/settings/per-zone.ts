import { check } from 'plimsoll'
import { isServed, item } from '../_reply.ts'
import { settingsLock, withSettings } from '../_settings.ts'

const clause = 'page-protection.settings.feature-per-zone'

export default check({
  title: 'Turning the feature on or off in one zone leaves another as it was',
  clauses: [clause],
  needs: ['management'],
  alone: [settingsLock],
  async run({ management, zones, verify }) {
    const [zone, other] = new Set(Object.values(zones))
    if (zone === undefined || other === undefined) return
    const look = () => management.get(`/zones/${other}/page_shield`)
    await withSettings({ management, zone }, async ({ turn }) => {
      const before = await look()
      for (const enabled of [true, false]) {
        const turned = await turn(enabled)
        const after = await look()
        const [was, is] = [item(before).enabled, item(after).enabled]
        if (!isServed(turned) || was === undefined || is === undefined) continue
        const saw = `one zone turned ${enabled ? 'on' : 'off'}, the other was ${was} and is ${is}`
        verify(clause, { holds: was === is, saw }, before, turned, after)
      }
    })
  }
})
