import { check } from 'plimsoll'
import { countUp } from './_count-up.ts'
import { oneOf, paidPlans } from './_plan.ts'

const plans = { free: [['free'], 100], paid: [paidPlans, 500] } as const
const source = "export default { fetch: () => new Response('here') }"

export default check({
  title: 'An account may have as many functions as its plan allows, and not more',
  clauses: Object.keys(plans).map((kind) => `limits.account.functions.${kind}`),
  tier: 'full',
  needs: ['edge', 'account', 'deploy'],
  async run(context) {
    const { adapter, edge } = context
    for (const [kind, [those, most]] of Object.entries(plans)) {
      const plan = oneOf(those, context)
      const { id: account } = await adapter.account(plan)
      let host = ''
      await countUp(context, {
        clause: `limits.account.functions.${kind}`,
        most,
        unit: 'functions',
        async once(number) {
          const said = await adapter.deploy({ account, name: `number-${number}`, source })
          if (!said.accepted) return said.because
          host = said.host
          return undefined
        },
        evidence: () => edge.as(host).get('/')
      })
    }
  }
})
