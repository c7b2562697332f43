import { phaseTwoCheck } from './_phase-two.ts'

export default phaseTwoCheck('waf-migration.param-phase-two')
