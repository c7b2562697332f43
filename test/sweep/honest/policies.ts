// Policies of other makes: their order, how many there are, and what they may say.
import { invalid } from '../../../src/platform/kernel/api/failure.ts'
import type { Call } from '../../../src/platform/kernel/api/operation.ts'
import { paging, resultInfo } from '../../../src/platform/kernel/api/paging.ts'
import { readPolicy } from '../../../src/platform/page-protection/policy/policy.ts'
import { policyOperations } from '../../../src/platform/page-protection/policy/policy-operations.ts'
import { otherRulesIn, type Variant } from './variant.ts'

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

/** A list of policies in pages, of which it says how many there are. */
function inPages(perPage: number) {
  return {
    pageProtection: {
      operations: {
        'policy.list': {
          run(call: Call) {
            const { result: all } = policyOperations['policy.list'].run(call as never)
            const { page, perPage: size } = paging(call.query, { perPage, largestPerPage: perPage })
            const result = all.slice((page - 1) * size, page * size)
            const counts = { count: result.length, total: all.length }
            return { result, info: resultInfo({ page, perPage: size }, counts) }
          }
        }
      }
    }
  }
}

/** Policies of which the descriptions are kept without the white space around them. */
const trimming = {
  pageProtection: {
    operations: Object.fromEntries(
      (['policy.create', 'policy.update'] as const).map((name) => [
        name,
        {
          run(call: Call) {
            const { description } = call.body
            const isText = typeof description === 'string'
            const body = isText ? { ...call.body, description: description.trim() } : call.body
            return policyOperations[name].run({ ...call, body } as never)
          }
        }
      ])
    )
  }
}

/** Deletions that succeed where there is nothing to delete. */
const deletingNothing = {
  pageProtection: {
    operations: {
      'policy.delete': {
        run(call: Call) {
          const isThere = readPolicy(call.store, call.zone.id, call.id.toLowerCase())
          if (isThere) return policyOperations['policy.delete'].run(call as never)
          return { result: { id: call.id } }
        }
      }
    }
  }
}

const about = otherRulesIn(['policies'])

/** Platforms whose policies are others. */
export const policyVariants: readonly Variant[] = [
  about(
    'policies-newest-first',
    'no order of a list is promised',
    policies((items) => items.toReversed()),
    ['policies', 'authentication']
  ),
  about('policies-in-pages-of-ten', 'of the list of policies no more is shown', inPages(10)),
  about('descriptions-trimmed', 'that white space around a text counts is not said', trimming),
  about(
    'deletions-of-nothing-succeed',
    'what becomes of a deletion of what is not there is not said',
    deletingNothing,
    ['policies', 'errors', 'authentication', 'envelope']
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
