import { cacheHeader } from '../../edge/cache.ts'
import { valuesOf } from '../../edge/served.ts'
import type { Mutant } from '../../kernel/mutant.ts'
import { application } from '../policy/header.ts'
import { type PageProtectionRules, pageProtectionRules } from '../rules.ts'

type Answered = Parameters<PageProtectionRules['cookiesOf']>[0]

/** Whether no cache was asked, which no function has before it. */
const isUncached = ({ served }: Answered) =>
  valuesOf(served.headers, cacheHeader.toLowerCase()).length === 0

/** What others than functions answer to other methods has not been in a cache either. */
const isOfFunction = (to: Answered) => to.request.method === 'GET' && isUncached(to)

const leftOut = (['allow', 'log'] as const).map((action): Mutant<PageProtectionRules> => {
  const clause = { allow: 'allow-blocks', log: 'log-reports-not-blocks' }[action]
  return {
    name: `policy-${action}-not-for-functions`,
    clause: `policy.semantics.${clause}`,
    description: `Policies with action ${action} are none for pages that a function answers with.`,
    change: {
      added: (policies, to) =>
        isOfFunction(to)
          ? policies.filter(([name]) => name !== application.header[action])
          : policies
    }
  }
})

/** What can be wrong with the pages that functions answer with. */
export const ofFunctionsMutants: readonly Mutant<PageProtectionRules>[] = [
  ...leftOut,
  {
    name: 'cookies-of-functions-not-detected',
    clause: 'page-protection.detection.detected',
    description: 'A cookie that the page of a function sets is not detected.',
    change: { cookiesOf: (to) => (isUncached(to) ? [] : pageProtectionRules.cookiesOf(to)) }
  }
]
