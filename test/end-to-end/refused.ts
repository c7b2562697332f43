import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import { performLine } from '../../src/cli/command-line.ts'
import type { Ended } from './plimsoll.ts'

/** Exit codes of what was not begun. */
const unbegun = [2, 4, 64, 77]

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * What comes of a command line that is refused before anything is begun, performed in this process:
 * one of its own takes most of a second to start, and there are hundreds of ways to be refused. One
 * that is not refused may leave behind what only the end of a process ends, and throws.
 */
export async function refused(...args: string[]): Promise<Omit<Ended, 'out'>> {
  const written = { stdout: '', stderr: '' }
  const streams = ['stdout', 'stderr'] as const
  const kept = streams.map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      written[name] += text
      return true
    })
  )
  const { exitCode } = process
  const before = signals.map((name) => process.rawListeners(name))
  vi.stubEnv('XDG_CACHE_HOME', join(tmpdir(), 'plimsoll-cache'))
  try {
    await performLine(args)
    const code = Number(process.exitCode ?? 0)
    if (!unbegun.includes(code)) throw new Error(`was not refused: ${args.join(' ')}`)
    return { code, ...written }
  } finally {
    process.exitCode = exitCode
    vi.unstubAllEnvs()
    for (const one of kept) one.mockRestore()
    // What it would have saved on Ctrl-C would have ended with its process.
    for (const [index, name] of signals.entries()) {
      for (const heard of process.rawListeners(name)) {
        if (!before[index]!.includes(heard)) process.off(name, heard as () => void)
      }
    }
  }
}
