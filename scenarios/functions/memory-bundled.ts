import { memoryLimit } from './_memory.ts'

export default memoryLimit({
  clause: 'limits.runtime.memory.bundled',
  plan: 'bundled',
  tier: 'full'
})
