import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import type { Announcement } from '../../../src/platform/platform.ts'

/** A platform from its start to its death. */
export type Life = {
  said: Announcement
  /** When it was killed, in milliseconds; undefined while it lives. */
  killedAt: () => number | undefined
  /** Resolves once its process is gone. */
  ended: Promise<unknown>
  /** What it has written to standard error. */
  complaint: () => string
  /**
   * Kills it with a signal nobody can handle, or so many milliseconds after it was asked to end;
   * resolves once the process is gone.
   */
  kill: (afterMs?: number) => Promise<void>
}

const launcher = resolve(import.meta.dirname, '../../../src/launch.js')

function begin(folder: string, more: readonly string[] = []) {
  const ways = ['--allow-egress', '127.0.0.1:*']
  const flags = ['--json', '--port', '0', '--data', folder, ...ways, ...more]
  const child = spawn(process.execPath, [launcher, 'platform', ...flags], {
    stdio: ['ignore', 'pipe', 'pipe']
  })
  let complaint = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    complaint = (complaint + text).slice(-4_000)
  })
  return { child, ended: once(child, 'exit'), complaint: () => complaint }
}

async function end(child: ChildProcess, ended: Promise<unknown>) {
  // Nothing happens to one that has ended by itself.
  child.kill('SIGKILL')
  await ended
}

/** Starts a platform on a data folder; one that does not come up is an error with its own words. */
export async function startLife(folder: string, flags?: readonly string[]): Promise<Life> {
  const { child, ended, complaint } = begin(folder, flags)
  const line = once(createInterface({ input: child.stdout }), 'line')
  const [text] = (await Promise.race([line, ended.then(() => [])])) as string[]
  if (text === undefined) throw new Error(`the platform does not start: ${complaint()}`)
  let killedAt: number | undefined
  return {
    said: JSON.parse(text),
    killedAt: () => killedAt,
    ended,
    complaint,
    async kill(afterMs) {
      killedAt = performance.now()
      if (afterMs !== undefined) {
        child.kill('SIGTERM')
        await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, afterMs))])
      }
      await end(child, ended)
    }
  }
}

/** Kills a platform so many milliseconds after it was started, most often before it is up. */
export async function killAtStart(folder: string, afterMs: number) {
  const { child, ended, complaint } = begin(folder)
  const moment = new Promise((resolve) => setTimeout(resolve, afterMs))
  await Promise.race([moment, ended])
  if (child.exitCode !== null) throw new Error(`the platform does not start: ${complaint()}`)
  await end(child, ended)
}
