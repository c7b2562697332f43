import { part } from '../kernel/part.ts'
import { management } from './management.ts'
import { managementRules } from './rules.ts'

/** The management API: the operations of all parts, behind credentials and in one envelope. */
export const managementPart = part({
  name: 'management',
  rules: managementRules,
  open(kernel, { rules, options }) {
    const service = management({ rules, kernel, options })
    const words = 'the management API'
    return { listener: { key: 'management', words, offset: 0, service, path: rules.base } }
  },
  breaks: () => import('./mutants/mutants.ts')
})
