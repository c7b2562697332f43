import { startPlatform } from '../../src/platform/platform.ts'

// A platform in a process of its own that tells how much processor time it has used.
const { announcement } = await startPlatform({ port: 0 })
process.send!({ announcement })
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send!({ cpuUs: user + system })
})
