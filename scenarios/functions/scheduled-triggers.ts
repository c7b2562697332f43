import { check } from 'plimsoll'
import { countUp } from './_count-up.ts'
import { oneOf, paidPlans } from './_plan.ts'
import { probeSource } from './_probing.ts'
import { versions } from './_version.ts'

const plans = { free: [['free'], 5], paid: [paidPlans, 250] } as const

export default check({
  title: 'An account may have as many scheduled triggers as its plan allows, whatever they start',
  clauses: Object.keys(plans).map((kind) => `limits.account.scheduled-triggers.${kind}`),
  needs: ['edge', 'account', 'deploy', 'trigger'],
  async run(context) {
    const { adapter } = context
    // Half a year away from any day: none of them is to fire while they are counted.
    const month = ((new Date().getUTCMonth() + 6) % 12) + 1
    for (const [kind, [those, most]] of Object.entries(plans)) {
      const plan = oneOf(those, context)
      const { account, id, ask } = await versions(context, plan)
      const other = await adapter.deploy({ account, name: 'other', source: probeSource() })
      if (!other.accepted) return
      const functions = [id, other.id]
      await countUp(context, {
        clause: `limits.account.scheduled-triggers.${kind}`,
        most,
        unit: 'triggers over two functions',
        async once(number) {
          const [minute, hour] = [number % 60, Math.floor(number / 60)]
          const cron = `${minute} ${hour} 1 ${month} *`
          const said = await adapter.trigger(functions[number % 2]!, cron)
          return said.accepted ? undefined : said.because
        },
        evidence: () => ask({ do: 'count' })
      })
    }
  }
})
