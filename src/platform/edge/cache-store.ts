import type { Bytes, Files } from '../kernel/data/files.ts'
import { variantOf } from './cache-freshness.ts'
import { type Header, valuesOf } from './served.ts'

type Head = { status: number; headers: Header[] }
type Entry = Head & {
  variant: Header[]
  at: number
  until: number
  bytes: number
  file: string
}

/** What is cached, and how old it is. */
export type Hit = Head & { body: Bytes; bytes: number; ageSeconds: number }

/** A response that is to be cached under a key, for so long, if it is not larger than the limit. */
export type Keeping = Head & {
  key: string
  request: readonly Header[]
  lifetimeMs: number
  limitBytes: number
  /** Bytes the body is said to have; once they are there it is kept, before the last go on. */
  declaredBytes?: number
}

/** Responses by key, each for as long as it is fresh. */
export type Cache = {
  match(key: string, request: readonly Header[]): Promise<Hit | undefined>
  /** The body as it is, on its way; what has gone by in full is kept. */
  keeping(body: Bytes, keeping: Keeping): AsyncGenerator<Uint8Array>
  /** Whether there was something to forget. */
  forget(key: string): Promise<boolean>
  /** Forgets all whose keys begin like this; how many there were. */
  purge(prefix: string): Promise<number>
}

type Parts = { files: Files; mostBytes: number; now: () => number }

/** Begins empty. When there is too much in it, what was not asked for the longest goes first. */
export function openCache(parts: Parts): Cache {
  const { files, now } = parts
  const { find, keep, forget, keys } = openShelf(parts)
  return {
    forget,
    async match(key, request) {
      const entry = await find(key)
      if (entry === undefined || !isFor(entry, request)) return undefined
      const { status, headers, at, bytes: length, file } = entry
      const body = await files.read(file, { offset: 0, length })
      const ageSeconds = Math.floor((now() - at) / 1_000)
      return body && { status, headers, body, bytes: length, ageSeconds }
    },
    async *keeping(body, keeping) {
      const { limitBytes, declaredBytes } = keeping
      let writing = await files.begin().catch(() => undefined)
      let size = 0
      // A cache that cannot write, as on a full disk, keeps nothing: that is no reason to fail.
      const giveUp = async () => {
        const given = writing
        writing = undefined
        await given?.abandon().catch(() => {})
      }
      const write = (chunk: Uint8Array) => writing?.write(chunk).catch(giveUp)
      const finish = async () => {
        const file = await writing?.end().catch(giveUp)
        writing = undefined
        if (file) await keep(keeping.key, entryOf(keeping, { file, size, at: now() }))
      }
      try {
        for await (const chunk of body) {
          size += chunk.length
          await (size <= limitBytes ? write(chunk) : giveUp())
          if (size === declaredBytes) await finish()
          yield chunk
        }
        await finish()
      } finally {
        await giveUp()
      }
    },
    async purge(prefix) {
      const those = keys().filter((key) => key.startsWith(prefix))
      for (const key of those) await forget(key)
      return those.length
    }
  }
}

/** Entries by key, in the order in which they were last asked for. */
function openShelf({ files, mostBytes, now }: Parts) {
  const entries = new Map<string, Entry>()
  let bytes = 0

  async function forget(key: string): Promise<boolean> {
    const entry = entries.get(key)
    if (entry === undefined) return false
    entries.delete(key)
    bytes -= entry.bytes
    await files.remove(entry.file)
    return entry.until > now()
  }
  return {
    forget,
    keys: () => [...entries.keys()],
    /** The entry of a key while it is fresh. */
    async find(key: string): Promise<Entry | undefined> {
      const entry = entries.get(key)
      if (entry === undefined) return undefined
      if (entry.until <= now()) return void (await forget(key))
      entries.delete(key)
      entries.set(key, entry)
      return entry
    },
    async keep(key: string, entry: Entry) {
      // Nobody else may come in between, or of two that are kept at once one is never forgotten.
      const before = entries.get(key)
      entries.delete(key)
      entries.set(key, entry)
      bytes += entry.bytes - (before?.bytes ?? 0)
      if (before) await files.remove(before.file)
      for (const oldest of [...entries.keys()]) {
        if (bytes <= mostBytes) break
        await forget(oldest)
      }
    }
  }
}

function entryOf(
  { status, headers, request, lifetimeMs }: Keeping,
  { file, size, at }: { file: string; size: number; at: number }
): Entry {
  const variant = variantOf(headers, request)
  return { status, headers, variant, at, until: at + lifetimeMs, bytes: size, file }
}

function isFor({ variant }: Entry, request: readonly Header[]): boolean {
  return variant.every(([name, value]) => valuesOf(request, name).join(', ') === value)
}
