import { wrongOperations } from '../../kernel/api/wrong-operation.ts'
import { logpushRules } from '../rules.ts'

/** Ways to get the operations of this part wrong. */
export const { instead, misread, misreported, missing, operationsOf, spoiled, unavailable } =
  wrongOperations(logpushRules.operations)
