import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { watch } from 'node:fs'
import { resolve } from 'node:path'
import { affectedBy } from '../../scenario/affected.ts'
import { find } from '../../scenario/find.ts'
import { Failure, orFail } from '../failure.ts'
import { scenariosFolder } from '../inventory.ts'

/** One save is several changes to a file system, and often of several files. */
const settleMs = 200

/** The words of a command line after its ids, which have to come first, but for `--watch`. */
function flagsIn(words: readonly string[], ids: readonly string[]): string[] {
  const [, ...rest] = words
  if (ids.some((id, index) => rest[index] !== id)) {
    throw new Failure('--watch: name scenarios right after `run`, before any flag')
  }
  return rest.slice(ids.length).filter((word) => !/^--watch(=|$)/.test(word))
}

/**
 * Runs scenarios, and again those that a change in their folder may have changed, until Ctrl-C.
 * Each run is a process of its own: a module that was imported once stays as it was. One that is
 * under way when something changes is ended, and what it had begun is asked again.
 */
export async function watchRun(
  words: readonly string[],
  { ids, scenarios }: { ids: readonly string[]; scenarios?: string }
): Promise<void> {
  const folder = scenariosFolder(scenarios)
  const flags = flagsIn(words, ids)
  const ended = Promise.withResolvers<void>()
  let isOver = false
  let current: ChildProcess | undefined
  // What is to be asked again: that of the run under way as well, until it has ended by itself.
  let due = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  const begin = async (wanted: readonly string[]) => {
    const command = [process.argv[1]!, 'run', ...wanted, ...flags]
    const child = spawn(process.execPath, command, { stdio: 'inherit' })
    current = child
    await once(child, 'exit')
    if (current !== child) return
    current = undefined
    if (isOver) return ended.resolve()
    due = new Set()
    process.stderr.write(`\nWatching ${folder}; Ctrl-C ends it.\n`)
  }
  const again = async () => {
    const running = current
    // It answers Ctrl-C by saving what it has.
    current = undefined
    running?.kill('SIGINT')
    if (running && running.exitCode === null) await once(running, 'exit')
    if (!isOver) await begin([...due])
  }
  const watcher = await orFail(() => watch(folder, { recursive: true }))
  watcher.on('change', (_, name) => {
    const affected = affectedBy(resolve(folder, `${name}`), {
      folder,
      found: find(folder),
      names: ids
    })
    if (affected === undefined || affected.length === 0) return
    for (const id of affected) due.add(id)
    clearTimeout(timer)
    timer = setTimeout(() => void again(), settleMs)
  })
  const end = () => {
    isOver = true
    clearTimeout(timer)
    watcher.close()
    if (current === undefined) ended.resolve()
    else current.kill('SIGINT')
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, end)
  await begin(ids)
  await ended.promise
}
