// Policies of other makes: their order, how many there are, and what they may say.
import { invalid } from '../../../src/platform/kernel/api/failure.ts'
import type { Call } from '../../../src/platform/kernel/api/operation.ts'
import { policyOperations } from '../../../src/platform/page-protection/policy/policy-operations.ts'
import type { Variant } from './variant.ts'

type Policy = Record<string, any>

/** Policies in another order. */
const policies = (order: <One>(items: One[]) => One[]) => ({
  pageProtection: {
    operations: {
      'policy.list': {
        run: (call: Call) => ({
          result: order(policyOperations['policy.list'].run(call as never).result)
        })
      }
    }
  }
})

/** Policies of which some are refused: those of which something is said here. */
function refusing(faultOf: (policy: Policy) => string | undefined) {
  const changed = (['policy.create', 'policy.update'] as const).map((name) => [
    name,
    {
      run(call: Call) {
        const fault = faultOf(call.body)
        if (fault !== undefined) throw invalid(fault)
        return policyOperations[name].run(call as never)
      }
    }
  ])
  return { pageProtection: { operations: Object.fromEntries(changed) } }
}

const about = (
  name: string,
  allowed: string,
  rules: Variant['rules'],
  areas: readonly string[] = ['policies']
): Variant => ({ name, allowed, rules, areas })

/** Platforms whose policies are others. */
export const policyVariants: readonly Variant[] = [
  about(
    'policies-newest-first',
    'no order of a list is promised',
    policies((items) => items.toReversed()),
    ['policies', 'authentication']
  ),
  about('ten-policies-a-zone', 'how many policies a zone may have is not said', {
    pageProtection: { limits: { policies: 10 } }
  }),
  about(
    'expressions-without-functions',
    'which functions rule expressions have is not said',
    refusing(({ expression }) =>
      /\b[a-z_0-9]+\(/.test(`${expression}`) ? 'expression: there are no functions' : undefined
    )
  ),
  about(
    'descriptions-of-a-hundred-characters',
    'how long a description may be is not said',
    refusing(({ description }) =>
      `${description}`.length > 100 ? 'description: 100 characters at most' : undefined
    )
  )
]
