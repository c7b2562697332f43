import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Behaviour } from './behaviour.ts'
import { type Command, graceSeconds, mostBytes, rightExits } from './command.ts'
import { treeOf, watchMemory } from './process-tree.ts'

const launcher = resolve(import.meta.dirname, '../../../src/launch.js')
const server = resolve(import.meta.dirname, 'server.ts')

/** How a command fared against a behaviour. */
export type Fate = {
  behaviour: string
  command: string
  /** Exit code; null when it had to be ended. */
  code: number | null
  seconds: number
  peakBytes: number
  /** What is out of order, in words; empty when nothing is. */
  wrong: string[]
  output: string
}

/** How a command is started where it is not started as usual. */
export type Setting = {
  /** What goes before the command itself, and its environment. */
  before?: string[]
  env?: Record<string, string>
  /** Folder for what it writes. */
  out?: string
  /** Makes other arguments of its own. */
  change?: (args: string[]) => string[]
  /** The scenarios to run, if not the usual ones. */
  document?: string
  /** What happens once it has asked for the first time. */
  onAsked?: () => void
  mostBytes?: number
  /** Exit codes that are right in this setting. */
  exits?: readonly number[]
}

/** Serves a behaviour in a process of its own. */
export async function serve({ name }: Pick<Behaviour, 'name'>) {
  const stdio = ['pipe', 'pipe', 'inherit'] as const
  // In a group of its own, a Ctrl-C is none of its business.
  const child = spawn(process.execPath, [server, name], { stdio: [...stdio], detached: true })
  const [port] = await once(child.stdout, 'data')
  // Its next word is that it was asked something.
  const asked = once(child.stdout, 'data').catch(() => {})
  const url = `http://127.0.0.1:${String(port).trim()}/`
  return { url, asked, stop: () => void child.kill() }
}

/** Outcomes of a run's verdicts that say something of its target, by the clause. */
function judgedIn(out: string): Record<string, string> {
  const file = join(out, 'latest', 'results.ndjson')
  const records = readFileSync(file, 'utf8').trimEnd().split('\n')
  const verdicts = records.map((line) => JSON.parse(line)).filter(({ t }) => t === 'verdict')
  return Object.fromEntries(verdicts.map(({ clause, outcome }) => [clause, outcome]))
}

/** What a run must not have made of a behaviour. */
function nonsenseIn(out: string, { worth }: Behaviour): string[] {
  const { 'hostile.size': size, 'hostile.ok': ok } = judgedIn(out)
  const wrong: string[] = []
  // No behaviour gives back what it was sent, so the limit has never been proved.
  if (size === 'pass' || size === 'fail') wrong.push(`the limit is a ${size}`)
  if (ok === 'fail' && worth !== 'other') wrong.push('the check is a fail')
  if (ok === 'pass' && worth !== 'ok' && worth !== 'either') wrong.push('the check is a pass')
  return wrong
}

/** Sets a command upon a behaviour, and says how it fared. */
export async function trial(
  behaviour: Behaviour,
  command: Command,
  document: string,
  setting: Setting = {}
): Promise<Fate> {
  const { url, asked, stop } = await serve(behaviour)
  const out = setting.out ?? mkdtempSync(join(tmpdir(), 'plimsoll-hostile-out-'))
  const { change = (same: string[]) => same } = setting
  const args = change(command.args(url, setting.document ?? document))
  const writes = setting.out !== undefined || ['run', 'soak'].includes(args[0]!)
  const all = [process.execPath, launcher, ...args, ...(writes ? ['--out', out] : [])]
  const [program, ...rest] = [...(setting.before ?? []), ...all]
  const began = performance.now()
  const env = { ...process.env, ...setting.env }
  const child = spawn(program!, rest, { env, detached: true })
  const peak = watchMemory(child.pid!)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      if (output.length < 1e6) output += text
    })
  }
  asked.then(setting.onAsked)
  const limit = (command.seconds + graceSeconds()) * 1_000
  const tooLong = setTimeout(() => {
    for (const pid of treeOf(child.pid!)) process.kill(pid, 'SIGKILL')
  }, limit + 30_000)
  const [code] = (await once(child, 'close')) as [number | null]
  clearTimeout(tooLong)
  const seconds = (performance.now() - began) / 1_000
  stop()
  const peakBytes = peak()
  const exits = setting.exits ?? rightExits(command, behaviour)
  const wrong: string[] = []
  if (code === null) wrong.push('had to be ended')
  else if (!exits.includes(code)) wrong.push(`exit ${code} and not ${exits.join(' or ')}`)
  if (seconds * 1_000 > limit)
    wrong.push(`${seconds.toFixed(1)} s, where ${command.seconds} s are its time`)
  if (/^\s+at .+:\d+:\d+\)?$/m.test(output)) wrong.push('a stack')
  if (peakBytes > (setting.mostBytes ?? mostBytes)) wrong.push(`${Math.round(peakBytes / 1e6)} MB`)
  if (args[0] === 'run' && code !== null && setting.exits === undefined)
    wrong.push(...nonsenseIn(out, behaviour))
  if (setting.out === undefined) rmSync(out, { recursive: true, force: true })
  return {
    behaviour: behaviour.name,
    command: command.name,
    code,
    seconds,
    peakBytes,
    wrong,
    output
  }
}
