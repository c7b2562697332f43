import { completionCheck } from './_completion.ts'

export default completionCheck('pro')
