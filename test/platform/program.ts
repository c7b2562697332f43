import { startPlatform } from '../../src/platform/platform.ts'

// A platform in a process of its own, for what is only seen from outside: its memory, its death.
const { announcement } = await startPlatform({
  ...{ port: 0, data: process.argv[2] },
  // The servers that wait for its logs are the tests' own.
  allowEgress: ['127.0.0.1:*']
})
process.send!({ announcement })
process.on('message', () => process.send!({ peakKiB: process.resourceUsage().maxRSS }))
