import { startPlatform } from '../../src/platform/platform.ts'

// A platform with the node at the address given, in a process of its own that tells its CPU time.
const { announcement } = await startPlatform({ port: 0, gateway: { sepolia: process.argv[2]! } })
process.send!(`${announcement.gateway}/v1/sepolia`)
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send!(user + system)
})
