import { startPlatform } from '../../src/platform/platform.ts'

// A platform in a process of its own, for what is only seen from outside: its memory, its death.
const { announcement } = await startPlatform({ port: 0, data: process.argv[2] })
process.send!({ announcement })
process.on('message', () => process.send!({ peakKiB: process.resourceUsage().maxRSS }))
