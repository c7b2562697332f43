import { check } from 'plimsoll'
import { isServed, quoted } from '../_reply.ts'
import { hasLeft, outcomeOn, told } from './_migrated-zone.ts'
import { stage } from './_stage.ts'

const excluded = 'waf-migration.eligibility.uri-override-excluded'
const compatible = 'waf-migration.eligibility.check-true-for-eligible'

export default check({
  title: 'URI-based overrides keep a zone from being migrated, and nothing else does',
  clauses: [excluded, compatible],
  needs: ['management', 'disposableZone', 'previousWaf', 'migrated'],
  async run(context) {
    const { verify } = context
    const on = await stage(context, 'enterprise')
    const other = await stage(context, 'business')
    const without = await outcomeOn(context, { on, uriOverrides: [] })
    const [check] = without.replies
    if (isServed(check)) {
      const saw = `compatible ${quoted(without.compatible)}`
      verify(compatible, { holds: without.compatible === true, saw }, check)
    }
    const found = await outcomeOn(context, { on: other, uriOverrides: ['*/legacy/*'] })
    // Who migrates no zone at all does not keep this one back.
    if (!hasLeft(found) && !hasLeft(without)) return
    const saw = `with one override: ${told(found)}`
    verify(excluded, { holds: !hasLeft(found), saw }, ...found.replies)
  }
})
