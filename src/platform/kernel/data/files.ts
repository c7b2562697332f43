import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Bytes as they come; whoever makes one may be asked for it once only. */
export type Bytes = AsyncIterable<Uint8Array>

/** A file that is being written. */
export type Writing = {
  write(chunk: Uint8Array): Promise<void>
  /** The name to read it by. */
  end(): Promise<string>
  /** Leaves nothing of it. */
  abandon(): Promise<void>
}

/** From which byte on, and how many of them. */
export type Range = { offset: number; length: number }

/** A folder of files that have no names but those they are given here. */
export type Files = {
  begin(): Promise<Writing>
  /** All bytes of a file, or some; undefined when it is gone. */
  read(name: string, range: Range): Promise<Bytes | undefined>
  remove(name: string): Promise<void>
  /**
   * Removes what was written here and is not among the names; to be asked for before anything else
   * is. Files that others put into the folder stay.
   */
  sweep(named: ReadonlySet<string>): void
  close(): void
}

const ownName = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** As much is read at once and needs no open file while somebody thinks about reading it. */
const wholeBytes = 65_536
/** As much goes to and from the disk at once. */
const batchBytes = 1_048_576

/**
 * Keeps files in a folder, or without one in a place that is deleted in the end. No folder is made
 * before there is something to write. Files that are `lasting` are on the disk once they are ended.
 */
export function openFiles(folder?: string, { lasting = false } = {}): Files {
  let place: string | undefined
  const at = (name: string) => {
    place ??= folder ?? mkdtempSync(join(tmpdir(), 'plimsoll-'))
    mkdirSync(place, { recursive: true })
    return join(place, name)
  }
  const remove = (name: string) => rm(at(name), { force: true })

  return {
    remove,
    sweep(named) {
      if (folder === undefined) return
      for (const { name } of filesIn(folder).filter((entry) => entry.isFile()))
        if (ownName.test(name) && !named.has(name)) rmSync(join(folder, name), { force: true })
    },
    async begin() {
      const name = randomUUID()
      const file = await open(at(name), 'w')
      let waiting: Uint8Array[] = []
      let bytes = 0
      const flush = async () => {
        const chunks = waiting
        waiting = []
        bytes = 0
        // A disk that is nearly full takes a part without an error: only the next write has one.
        for (let left = chunks; left.length > 0; ) {
          const { bytesWritten } = await file.writev(left)
          left = behind(left, bytesWritten)
        }
      }
      return {
        async write(chunk) {
          waiting.push(chunk)
          bytes += chunk.length
          if (bytes >= batchBytes) await flush()
        },
        async end() {
          await flush()
          // What names the file may reach the disk first, and must not be alone there.
          if (lasting) await file.datasync()
          await file.close()
          return name
        },
        async abandon() {
          await file.close()
          await remove(name)
        }
      }
    },
    async read(name, { offset, length }) {
      const file = await open(at(name)).catch(() => undefined)
      if (file === undefined) return undefined
      const bounds = { start: offset, end: offset + length - 1 }
      if (length > wholeBytes) {
        const stream = file.createReadStream({ ...bounds, highWaterMark: batchBytes })
        return leavable(stream[Symbol.asyncIterator](), () => stream.destroy())
      }
      try {
        const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, offset)
        return whole(buffer.subarray(0, bytesRead))
      } finally {
        await file.close()
      }
    },
    close() {
      if (folder === undefined && place !== undefined) rmSync(place, { recursive: true })
    }
  }
}

/** What is left of chunks when so many bytes of them are gone. */
function behind(chunks: readonly Uint8Array[], bytes: number): Uint8Array[] {
  let gone = bytes
  return chunks.flatMap((chunk) => {
    const rest = chunk.subarray(gone)
    gone = Math.max(0, gone - chunk.length)
    return rest.length > 0 ? [rest] : []
  })
}

function filesIn(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/**
 * The bytes of an iterator, of which whoever leaves them lets go, also before the first came: what
 * a stream or a generator holds is given back by their own only once they were asked for something.
 */
export function leavable(source: AsyncIterator<Uint8Array>, letGo: () => void): Bytes {
  const iterator: AsyncIterableIterator<Uint8Array> = {
    [Symbol.asyncIterator]: () => iterator,
    next: () => source.next(),
    async return() {
      letGo()
      return { done: true, value: undefined }
    }
  }
  return iterator
}

/** Bytes that are all there. */
export async function* whole(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  if (bytes.length > 0) yield bytes
}

/** All bytes of a body in one; undefined when there are more than the limit. */
export async function gathered(
  body: Bytes | undefined,
  limitBytes: number
): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.length
    if (bytes > limitBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
