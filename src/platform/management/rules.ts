import { envelope } from '../kernel/api/envelope.ts'
import { authorise, identify, isOwn } from './identity.ts'
import { zoneOperations } from './zone-operations.ts'

/** What the management API promises, whichever operation is called. */
export const managementRules = {
  limits: {
    /** Bytes of a body, where the operation names no other number; the document is silent. */
    bodyBytes: 1_048_576
  },
  /** What the path of every operation begins with. */
  base: '/client/v4',
  envelope,
  identify,
  authorise,
  isOwn,
  operations: zoneOperations
}

/** The shape of `managementRules`. */
export type ManagementRules = typeof managementRules
