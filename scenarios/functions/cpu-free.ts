import { cpuLimit } from './_cpu-limit.ts'

export default cpuLimit({ clause: 'limits.runtime.cpu.free', plan: 'free', ms: 10 })
