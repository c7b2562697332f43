import { memoryLimit } from './_memory.ts'

export default memoryLimit({
  clause: 'limits.runtime.memory.unbound-standard',
  plan: 'standard',
  tier: 'full'
})
