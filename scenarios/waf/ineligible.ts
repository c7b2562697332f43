import { check } from 'plimsoll'
import { isServed, item, quoted } from '../_reply.ts'
import { configurationIn, stage } from './_stage.ts'

const compatible = 'waf-migration.eligibility.check-false-for-ineligible'
const cannot = 'waf-migration.transition.ineligible-cannot-migrate'
const again = 'waf-migration.transition.override-deleted-makes-eligible'

/** A configuration that any zone could be sent, for zones that are offered none. */
const other = async (context: Parameters<typeof stage>[0]) =>
  configurationIn(await (await stage(context, 'enterprise')).config())

export default check({
  title: 'A zone with URI-based overrides cannot migrate until they are deleted',
  clauses: [compatible, cannot, again],
  needs: ['management', 'disposableZone', 'previousWaf', 'migrated'],
  async run(context) {
    const { adapter, verify } = context
    const on = await stage(context, 'enterprise')
    const uriOverrides = ['*/legacy/*', '*/import/*']
    await adapter.previousWaf(on.zone.id, { enabled: true, uriOverrides })
    const check = await on.check()
    const told = item(check).compatible
    if (isServed(check)) {
      verify(compatible, { holds: told === false, saw: `compatible ${quoted(told)}` }, check)
    }
    const configuration = configurationIn(await on.config()) ?? (await other(context))
    if (configuration === undefined) return
    for (const value of ['validation', 'pending']) {
      const reply = await on.migrate(value, configuration)
      const state = await on.state()
      const saw = `${value}: ${reply.because}, state ${quoted(state)}`
      verify(cannot, { holds: state === 'start', saw }, reply)
      if (state !== 'start') return
    }
    await adapter.previousWaf(on.zone.id, { uriOverrides: [] })
    const reply = await on.migrate('pending', configuration)
    const state = await on.state()
    const holds = isServed(reply) && state !== undefined && state !== 'start'
    const saw = `overrides deleted; pending: ${reply.because}, state ${quoted(state)}`
    verify(again, { holds, saw }, reply)
  }
})
