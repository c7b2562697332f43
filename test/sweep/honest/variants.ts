import { detectionVariants } from './detections.ts'
import { edgeVariants } from './edge.ts'
import { functionVariants } from './functions.ts'
import { gatewayVariants } from './gateway.ts'
import { jobVariants } from './jobs.ts'
import { listVariants } from './lists.ts'
import { logVariants } from './logs.ts'
import { managementVariants } from './management.ts'
import { planVariants } from './plans.ts'
import { policyVariants } from './policies.ts'
import { settingsVariants } from './settings.ts'
import { textVariants } from './text.ts'
import type { Variant } from './variant.ts'
import { wafVariants } from './waf.ts'
import { wireVariants } from './wire.ts'

/** Every honest platform of another make that is known. */
export const variants: readonly Variant[] = [
  ...wireVariants,
  ...textVariants,
  ...managementVariants,
  ...settingsVariants,
  ...listVariants,
  ...detectionVariants,
  ...policyVariants,
  ...wafVariants,
  ...logVariants,
  ...jobVariants,
  ...gatewayVariants,
  ...edgeVariants,
  ...functionVariants,
  ...planVariants
]
