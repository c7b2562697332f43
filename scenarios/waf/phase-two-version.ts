import { phaseTwoCheck } from './_phase-two.ts'

export default phaseTwoCheck('versioning.phase-two-param')
