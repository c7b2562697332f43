import * as v from 'valibot'
import { finite } from '../number.ts'

/** The machines that sent a load, as they have to look like; absent where it was the host. */
export const agentsSchema = v.optional(
  v.array(v.looseObject({ id: v.string(), threads: finite, clockErrorMs: finite }))
)
