import childProcess, { type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Profiler } from 'node:inspector'
import { syncBuiltinESMExports } from 'node:module'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'

/** Which code ran in the processes of functions, in those that have ended as well. */
export type FunctionCoverage = { take(): Promise<Profiler.ScriptCoverage[]> }

/** Where a process writes what ran there: behind what every process of the platform has. */
export const coverageFd = 4

const child = new URL('./host-coverage.ts', import.meta.url).href

/** Who does not say in this time what ran is not waited for. */
const patienceMs = 2_000

/**
 * Has every process that is forked from now on tell which code runs in it. It tells when it is
 * asked to, and before it is killed: nothing else could be told of a process that never ends.
 */
export function coverFunctions(): FunctionCoverage {
  const { fork } = childProcess
  const living = new Map<ChildProcess, () => Promise<void>>()
  let scripts: Profiler.ScriptCoverage[] = []
  const cover = (host: ChildProcess) => {
    const { kill, send } = host
    const lines = host.stdio[coverageFd] as Readable
    let [isListening, isIdle] = [false, false]
    const tell = async () => {
      // What does not listen yet would be ended by the signal, and has nothing to tell.
      if (!isListening || isIdle) return
      isIdle = true
      kill.call(host, 'SIGUSR2')
      await once(lines, 'told', { signal: AbortSignal.timeout(patienceMs) }).catch(() => {})
    }
    createInterface({ input: lines }).on('line', (line) => {
      isListening = true
      scripts.push(...(JSON.parse(line) as Profiler.ScriptCoverage[]))
      lines.emit('told')
    })
    // A platform asks those that have nothing to do, too, whether they are there.
    host.send = ((messages: unknown, ...rest: unknown[]) => {
      isIdle &&= [messages].flat().every((one) => (one as { t?: unknown })?.t === 'ping')
      return (send as (...all: unknown[]) => boolean).call(host, messages, ...rest)
    }) as typeof send
    let isEnding = false
    host.kill = () => {
      if (!isEnding) void tell().then(() => kill.call(host, 'SIGKILL'))
      isEnding = true
      return true
    }
    living.set(host, tell)
    host.once('exit', () => living.delete(host))
    return host
  }
  childProcess.fork = ((entry: string, options: childProcess.ForkOptions) =>
    cover(
      fork(entry, {
        ...options,
        execArgv: [...(options.execArgv ?? []), '--import', child],
        stdio: [...(options.stdio as []), 'pipe']
      })
    )) as typeof fork
  syncBuiltinESMExports()
  return {
    async take() {
      await Promise.all([...living.values()].map((tell) => tell()))
      const all = scripts
      scripts = []
      return all
    }
  }
}
