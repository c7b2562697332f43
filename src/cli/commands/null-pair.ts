import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Two servers that do nothing, alike but for being two processes; `stop` ends both. */
export type NullPair = { urls: [a: string, b: string]; stop(): Promise<void> }

const program = fileURLToPath(new URL(`./null-target${extname(import.meta.url)}`, import.meta.url))

async function urlOf(child: ChildProcess): Promise<string> {
  const [port] = await Promise.race([
    once(child.stdout!, 'data'),
    once(child, 'exit').then(() => Promise.reject(new Error('a null target did not start')))
  ])
  return `http://127.0.0.1:${String(port).trim()}/`
}

/** Starts them, in processes that did not exist before. */
export async function startNullPair(): Promise<NullPair> {
  const children = [0, 1].map(() => {
    // A group of its own, so that Ctrl-C ends the measurement before it ends what is measured.
    return spawn(process.execPath, [program], {
      stdio: ['pipe', 'pipe', 'inherit'],
      detached: true
    })
  })
  const [a, b] = (await Promise.all(children.map(urlOf))) as [string, string]
  return {
    urls: [a, b],
    async stop() {
      await Promise.all(
        children.map((child) => {
          child.stdin!.end()
          return child.exitCode === null ? once(child, 'exit') : undefined
        })
      )
    }
  }
}
