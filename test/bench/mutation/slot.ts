import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import type { Profiler } from 'node:inspector'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { targetOf } from '../../../src/cli/targets/embedded.ts'
import type { Target } from '../../../src/target/target.ts'
import { processorMs, treeOf } from '../hostile/process-tree.ts'
import { type Mutation, mutated } from './sites.ts'

/** A copy of the project's source in which one file at a time is another. */
export type Slot = {
  folder: string
  /** Puts a fault into the copy, and takes out the one before it. */
  put(mutation?: Mutation): void
  /** Starts the platform with this fault, or with none; undefined where it does not start. */
  start(mutation?: Mutation, options?: { isMeasured: boolean }): Promise<Started | undefined>
  close(): void
}

/** A platform that runs in a process of its own. */
export type Started = {
  target: Target
  isGone(): boolean
  /** Whether it answers anything at all, however long that takes. */
  isAnswering(): Promise<boolean>
  /** Which of its code ran since this was asked last; of one that is measured only. */
  coverage(): Promise<Profiler.ScriptCoverage[]>
  /** Milliseconds of processor time that it has taken so far, with all that it started. */
  processorMs(): number
  stop(): Promise<void>
}

const program = fileURLToPath(new URL('./program.ts', import.meta.url))

/** A platform that is not up by then does not start. */
const startMs = 60_000

/** A platform that answers nothing for so long, on however slow a machine, stands still. */
const stillMs = 30_000

/** V8 counts nothing in what its optimising compilers made: what runs often seems never to run. */
export const countedExactly = ['--no-opt', '--no-maglev']

/** What the project's own tests need is copied as well, and nothing of what it makes. */
const isSource = (root: string) => (path: string) =>
  !/^(node_modules|dist|\.git|reports\/\d.*)$/.test(relative(root, path))

/**
 * Copies the project. A copy, and no hook of the module loader, since functions run
 * in processes of their own, which get no environment and load the source by where it is.
 */
export function createSlot(root: string): Slot {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-mutation-'))
  cpSync(root, folder, { recursive: true, filter: isSource(root) })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const original = (file: string) => readFileSync(join(root, file), 'utf8')
  let changed: string | undefined
  const put = (mutation?: Mutation) => {
    if (changed) writeFileSync(join(folder, changed), original(changed))
    changed = mutation?.file
    if (mutation)
      writeFileSync(join(folder, mutation.file), mutated(original(mutation.file), mutation))
  }
  return {
    folder,
    put,
    async start(mutation, { isMeasured } = { isMeasured: false }) {
      put(mutation)
      const platform = pathToFileURL(join(folder, 'src/platform/platform.ts')).href
      const child = fork(program, [platform, ...(isMeasured ? ['measured'] : [])], {
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
        execArgv: isMeasured ? countedExactly : [],
        // Its own group keeps Ctrl-C from ending it before the last answers are in.
        detached: true,
        // Of what comes from such a cache V8 counts less exactly what runs.
        env: { ...process.env, NODE_COMPILE_CACHE: isMeasured ? '' : join(folder, 'compiled') }
      })
      return started(child)
    },
    close: () => rmSync(folder, { recursive: true, force: true })
  }
}

async function started(child: ChildProcess): Promise<Started | undefined> {
  const late = AbortSignal.timeout(startMs)
  const said = await Promise.race([
    once(child, 'message', { signal: late }).then(([message]) => message),
    once(child, 'exit', { signal: late })
  ]).catch(() => undefined)
  const isGone = () => child.exitCode !== null || child.signalCode !== null
  const stop = async () => {
    if (isGone()) return
    // What it began may not notice that it is gone, with a fault in it.
    for (const pid of treeOf(child.pid!)) kill(pid)
    await once(child, 'exit')
  }
  const name = 'platform with a fault'
  const target: Target | undefined = said?.announcement && targetOf(said.announcement, { name })
  // One that does not tell where it is cannot be asked.
  const isTold = Object.values(target?.endpoints ?? {}).every(({ url }) => URL.canParse(url))
  if (!target || !isTold) {
    await stop()
    return
  }
  return {
    target,
    isGone,
    async isAnswering() {
      const { url } = target.endpoints.management!
      const answer = fetch(url, { signal: AbortSignal.timeout(stillMs) })
      return answer.then(() => true).catch(() => false)
    },
    async coverage() {
      child.send('coverage')
      const [{ scripts }] = await once(child, 'message')
      return scripts
    },
    processorMs: () => processorMs(child.pid!),
    stop
  }
}

function kill(pid: number) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended in the meantime.
  }
}
