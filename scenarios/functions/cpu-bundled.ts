import { cpuLimit } from './_cpu-limit.ts'

export default cpuLimit({ clause: 'limits.runtime.cpu.bundled.http', plan: 'bundled', ms: 50 })
