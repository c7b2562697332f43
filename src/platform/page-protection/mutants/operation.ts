import { wrongOperations } from '../../kernel/api/wrong-operation.ts'
import { pageProtectionRules } from '../rules.ts'

/** Ways to get the operations of this part wrong. */
export const {
  defective,
  instead,
  misread,
  misreported,
  missing,
  operationsOf,
  spoiled,
  unavailable
} = wrongOperations(pageProtectionRules.operations)
