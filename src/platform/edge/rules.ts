import { edgeLimits } from './limits.ts'
import { metered } from './metered.ts'
import { refuse } from './refusal.ts'
import { receive } from './request.ts'
import { bodyLimit, oversize } from './size.ts'

/** What the edge promises: how it reads requests, what is too large, and how that is refused. */
export const edgeRules = { limits: edgeLimits, receive, oversize, bodyLimit, metered, refuse }

/** The shape of `edgeRules`. */
export type EdgeRules = typeof edgeRules
