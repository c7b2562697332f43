// One platform in a process of its own, told what to do by the process that began it:
// `node program.ts URL-OF-PLATFORM-MODULE [measured]`. It says `{ announcement }` once it is up;
// asked for it, it says which code ran since it was asked last.
import { Session } from 'node:inspector/promises'
import { flushCompileCache } from 'node:module'
import { coverFunctions } from './function-coverage.ts'

const [, , module, isMeasured] = process.argv
const session = new Session()
const functions = isMeasured ? coverFunctions() : undefined
if (isMeasured) {
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
}
process.on('disconnect', () => process.exit())
process.on('message', async () => {
  const { result } = await session.post('Profiler.takePreciseCoverage')
  const own = result.filter(({ url }) => url.includes('/src/platform/'))
  process.send!({ scripts: [...own, ...((await functions?.take()) ?? [])] })
})
const { startPlatform } = await import(module!)
const { announcement } = await startPlatform({ port: 0, allowEgress: ['127.0.0.1:*'] })
process.send!({ announcement })
// It ends by being killed, when it is too late to keep what was made of its code for the next one.
flushCompileCache()
