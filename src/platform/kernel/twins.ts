import { once } from 'node:events'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { newId } from './id.ts'

/**
 * Platforms that are made as this one is and share nothing with it, each in a thread of its own: it
 * may stand still, or end, and this one goes on.
 */
export type Twins = {
  /** Starts one; what it announces once every listener of it answers, and by which id to end it. */
  start(): Promise<{ id: string; announcement: object }>
  /** Ends one, whatever it is at; false where there is none by this id. */
  end(id: string): Promise<boolean>
  close(): Promise<void>
}

const entry = new URL(`./twin-thread${extname(import.meta.url)}`, import.meta.url)

/** Begins with none; each is started by a module as the first one was, with these options. */
export function createTwins(module: string, options: object): Twins {
  const threads = new Map<string, Worker>()
  const end = async (id: string) => {
    const thread = threads.get(id)
    threads.delete(id)
    await thread?.terminate()
    return thread !== undefined
  }
  return {
    async start() {
      const [id, thread] = [newId(), new Worker(entry, { workerData: { module, options } })]
      threads.set(id, thread)
      thread.on('error', (error) => process.emitWarning(error))
      const over = once(thread, 'exit').then(() => {
        throw new Error('a platform of its own make does not start')
      })
      const [announcement] = await Promise.race([once(thread, 'message'), over])
      over.catch(() => {})
      return { id, announcement }
    },
    end,
    close: async () => void (await Promise.all([...threads.keys()].map(end)))
  }
}
