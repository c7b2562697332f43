import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { onTestFailed, onTestFinished, TestRunner } from 'vitest'

const launcher = resolve(import.meta.dirname, '../../src/launch.js')

/** How a command ended, and what it wrote. */
export type Ended = { code: number | null; stdout: string; stderr: string; out: string }

/** Starts the command line as a user does; `out` is a fresh folder for its reports. */
export function start(
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {}
) {
  const out = mkdtempSync(join(tmpdir(), 'plimsoll-out-'))
  const takesOut = ['run', 'report', 'soak'].includes(args[0]!) && !args.includes('--out')
  const all = takesOut ? [...args, '--out', out] : [...args]
  const { cwd, env } = options
  const child = spawn(process.execPath, [launcher, ...all], {
    cwd,
    // What a test leaves in a cache is not for the one who runs it.
    env: { ...process.env, XDG_CACHE_HOME: join(tmpdir(), 'plimsoll-cache'), ...env }
  })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text
  })
  // What a command said is most of what there is to know about a failure elsewhere.
  if (TestRunner.getCurrentTest()) {
    // What a failed test waits for no longer would go on beside the next.
    onTestFinished(() => void child.kill('SIGKILL'))
    onTestFailed(({ task }) => {
      for (const error of task.result!.errors!) error.message += `\n${all.join(' ')}\n${stderr}`
    })
  }
  const ended = once(child, 'close').then(([code]): Ended => ({ code, stdout, stderr, out }))
  return { child, ended, out, stdout: () => stdout, stderr: () => stderr }
}

/** Runs the command line to its end. */
export function plimsoll(...args: string[]): Promise<Ended> {
  return start(args).ended
}

/** Runs with `--json` and reads the report. */
export async function plimsollJson(...args: string[]): Promise<{ code: number | null; json: any }> {
  const { code, stdout, stderr } = await plimsoll(...args, '--json')
  if (stdout === '') throw new Error(`nothing on stdout; stderr: ${stderr}`)
  return { code, json: JSON.parse(stdout) }
}
