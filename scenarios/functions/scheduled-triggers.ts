import { check } from 'plimsoll'
import { countUp } from './_count-up.ts'
import { paidPlans, someOf } from './_plan.ts'
import { probeSource } from './_probing.ts'
import { versions } from './_version.ts'

const plans = { free: [['free'], 5], paid: [paidPlans, 250] } as const

/** The schedule of a number, by its date or by the day of the week, once in a day or twice. */
function cronOf(number: number, month: number): string {
  const [minute, hour] = [number % 60, Math.floor(number / 60)]
  const days = number % 3 === 0 ? `* ${month} 1` : `1 ${month} *`
  return `${minute} ${number % 2 === 0 ? hour : `${hour},${hour + 12}`} ${days}`
}

export default check({
  title: 'An account may have as many scheduled triggers as its plan allows, whatever they start',
  clauses: Object.keys(plans).map((kind) => `limits.account.scheduled-triggers.${kind}`),
  needs: ['edge', 'account', 'deploy', 'trigger'],
  async run(context) {
    const { adapter } = context
    // Half a year away from any day: none of them is to fire while they are counted.
    const month = ((new Date().getUTCMonth() + 6) % 12) + 1
    for (const [kind, [those, most]] of Object.entries(plans))
      for (const plan of someOf(those, context)) {
        const { account, id, ask } = await versions(context, plan)
        const beside = async (account: string) =>
          adapter.deploy({ account, name: 'other', source: probeSource() })
        const other = await beside(account)
        // What another account has is none of this one's.
        const foreign = await beside((await adapter.account(plan)).id)
        if (!other.accepted || !foreign.accepted) return
        await adapter.trigger(foreign.id, cronOf(0, month))
        const functions = [id, other.id]
        await countUp(context, {
          clause: `limits.account.scheduled-triggers.${kind}`,
          most,
          unit: `triggers over two functions on plan ${plan}, by schedules that both have`,
          async once(number) {
            const cron = cronOf(Math.floor(number / 2), month)
            const said = await adapter.trigger(functions[number % 2]!, cron)
            return said.accepted ? undefined : said.because
          },
          evidence: () => ask({ do: 'count' })
        })
      }
  }
})
