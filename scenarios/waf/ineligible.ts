import { type Context, check, type Judge } from 'plimsoll'
import { isServed, item, quoted } from '../_reply.ts'
import { configurationIn, type Stage, stage } from './_stage.ts'

const compatible = 'waf-migration.eligibility.check-false-for-ineligible'
const cannot = 'waf-migration.transition.ineligible-cannot-migrate'
const again = 'waf-migration.transition.override-deleted-makes-eligible'

const plans = ['enterprise', 'business', 'pro', 'free']

/** A configuration that any zone could be sent, for zones that are offered none. */
const other = async (context: Context) =>
  configurationIn(await (await stage(context, 'enterprise')).config())

/** Zones to be used up, on all plans that the target has such on. */
async function stages(context: Context): Promise<[plan: string, on: Stage][]> {
  const all = await Promise.allSettled(plans.map((plan) => stage(context, plan)))
  const missing = all.find((one) => one.status === 'rejected')
  if (missing && all.every(({ status }) => status === 'rejected')) throw missing.reason
  return all.flatMap((one, at): [string, Stage][] =>
    one.status === 'fulfilled' ? [[plans[at]!, one.value]] : []
  )
}

/** Has one zone try while it has overrides, and again when it has none. */
async function judge(context: Context & Judge, plan: string, on: Stage): Promise<void> {
  const { adapter, verify } = context
  const uriOverrides = ['*/legacy/*', '*/import/*']
  await adapter.previousWaf(on.zone.id, { enabled: true, uriOverrides })
  const check = await on.check()
  const told = item(check).compatible
  if (isServed(check)) {
    verify(compatible, { holds: told === false, saw: `${plan}: compatible ${quoted(told)}` }, check)
  }
  const configuration = configurationIn(await on.config()) ?? (await other(context))
  if (configuration === undefined) return
  for (const value of ['validation', 'pending']) {
    const reply = await on.migrate(value, configuration)
    const state = await on.state()
    const saw = `${plan}, ${value}: ${reply.because}, state ${quoted(state)}`
    verify(cannot, { holds: state === 'start', saw }, reply)
    if (state !== 'start') return
  }
  await adapter.previousWaf(on.zone.id, { uriOverrides: [] })
  const reply = await on.migrate('pending', configuration)
  const state = await on.state()
  const holds = isServed(reply) && state !== undefined && state !== 'start'
  const saw = `${plan}, overrides deleted; pending: ${reply.because}, state ${quoted(state)}`
  verify(again, { holds, saw }, reply)
}

/** The same of one that came to validation mode before it had overrides. */
async function judgeLater(context: Context & Judge): Promise<void> {
  const { adapter, verify } = context
  const on = await stage(context, 'enterprise')
  const configuration = configurationIn(await on.config())
  if (configuration === undefined) return
  const validation = await on.migrate('validation', configuration)
  const before = await on.state()
  if (!isServed(validation) || before === undefined || before === 'start') return
  await adapter.previousWaf(on.zone.id, { uriOverrides: ['*/legacy/*'] })
  const check = await on.check()
  const told = item(check).compatible
  if (!isServed(check)) return
  const saw = `in validation mode: compatible ${quoted(told)}`
  verify(compatible, { holds: told === false, saw }, check)
  for (const value of ['pending', '1']) {
    const reply = await on.migrate(value, configuration)
    const state = await on.state()
    const saw = `from validation mode, ${value}: ${reply.because}, state ${quoted(state)}`
    verify(cannot, { holds: state === before, saw }, reply)
    if (state !== before) return
  }
  await adapter.previousWaf(on.zone.id, { uriOverrides: [] })
  const reply = await on.migrate('pending', configuration)
  const state = await on.state()
  const holds = isServed(reply) && state !== before && state !== 'start'
  const moved = `from validation mode, overrides deleted: ${reply.because}, state ${quoted(state)}`
  verify(again, { holds, saw: moved }, reply)
}

export default check({
  title: 'A zone with URI-based overrides cannot migrate until they are deleted',
  clauses: [compatible, cannot, again],
  needs: ['management', 'disposableZone', 'previousWaf', 'migrated'],
  async run(context) {
    const all = await stages(context)
    for (const [plan, on] of all) await judge(context, plan, on)
    if (all.some(([plan]) => plan === 'enterprise')) await judgeLater(context)
  }
})
