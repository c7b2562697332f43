import { functionsPerAccount } from './_functions-per-account.ts'
import { paidPlans } from './_plan.ts'

export default functionsPerAccount({
  kind: 'paid',
  plans: paidPlans,
  most: 500,
  asked: 10,
  tier: 'full'
})
