import type { Mutant, Unenforced } from '../../kernel/mutant.ts'
import { plans } from '../../kernel/plan.ts'
import type { EdgeRules } from '../rules.ts'
import { bodyOverHttp2Mutants } from './body-over-http2.ts'
import { bodySizeMutants } from './body-size.ts'
import { cachedFileMutants } from './cached-file.ts'
import {
  headSizeByBodyMutants,
  headSizeByMethodMutants,
  headSizeMutants,
  passedOnHeaderMutant,
  passedOnUrlMutant,
  repeatedHeadersMutant
} from './head-size.ts'

/** Every known way to break the edge. */
export const mutants: readonly Mutant<EdgeRules>[] = [
  ...cachedFileMutants,
  ...headSizeMutants,
  ...headSizeByBodyMutants,
  ...headSizeByMethodMutants,
  passedOnHeaderMutant,
  passedOnUrlMutant,
  repeatedHeadersMutant,
  ...bodySizeMutants,
  ...bodyOverHttp2Mutants
]

const byPlan = Object.fromEntries(plans.map((plan) => [plan, Infinity]))

/** An edge that takes requests of any size. */
export const unenforced: Unenforced<EdgeRules> = {
  limits: {
    urlBytes: Infinity,
    headersBytes: Infinity,
    headerBytes: Infinity,
    bodyBytes: byPlan,
    cachedFileBytes: byPlan
  }
}
