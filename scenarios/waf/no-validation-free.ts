import { noValidationCheck } from './_no-validation.ts'

export default noValidationCheck('free')
