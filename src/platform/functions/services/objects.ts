import { createHash } from 'node:crypto'
import { type Files, leavable } from '../../kernel/data/files.ts'
import { newId } from '../../kernel/id.ts'
import type { Store } from '../../kernel/store.ts'
import type { Time } from '../../kernel/time.ts'
import type { Bytes } from '../isolate/contract.ts'
import { pageOf, type Service } from './service.ts'

type Facts = { key: string; version: string; size: number; etag: string; uploaded: string }
type Row = { key: string; facts: string; file: string }
type Wanted = { offset?: number; length?: number; suffix?: number }
type Listing = { prefix?: string; limit?: number; cursor?: string; delimiter?: string }

/** The names of the files that objects are in, of all buckets. */
export function objectFiles(store: Store): Set<string> {
  const rows = store.all<{ file: string }>('SELECT file FROM stored_object')
  return new Set(rows.map(({ file }) => file))
}

/** The object storage: buckets of objects of any size, whose bytes are in files. */
export function objectStorage({
  store,
  time,
  files
}: {
  store: Store
  time: Time
  files: Files
}): Service {
  const row = (bucket: string, key: string) =>
    store.first<Row>(
      'SELECT key, facts, file FROM stored_object WHERE bucket = ? AND key = ?',
      ...[bucket, key]
    )
  /** Makes a row name another file, and returns the name of the one it named before. */
  const place = (bucket: string, { key, facts, file }: Row) =>
    store.transaction(() => {
      const before = row(bucket, key)
      const sql = `INSERT INTO stored_object (bucket, key, facts, file) VALUES (?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET facts = excluded.facts, file = excluded.file`
      store.run(sql, bucket, key, facts, file)
      return before?.file
    })
  return {
    async head({ id, args: [key] }) {
      const found = row(id, key)
      return { value: found ? factsOf(found) : null }
    },
    async get({ id, args: [key, options = {}] }) {
      for (let found = row(id, key), last = ''; found; last = found.file, found = row(id, key)) {
        if (found.file === last) throw new Error(`The bytes of the object ${key} are lost.`)
        const facts = factsOf(found)
        const range = rangeIn(options.range, facts.size)
        const body = await files.read(found.file, range)
        // A file that is gone was replaced meanwhile, and then there is another one to read.
        if (body === undefined) continue
        if (options.range) return { value: { ...facts, range }, body }
        return { value: facts, body: intact(body, facts) }
      }
      return { value: null }
    },
    async put({ id, args: [key, options = {}], body }) {
      const { httpMetadata = {}, customMetadata = {} } = options
      const written = await write(files, body)
      const { file, ...about } = written
      const uploaded = new Date(time.now()).toISOString()
      const version = newId()
      const facts = JSON.stringify({
        ...{ key, version, ...about, uploaded },
        ...{ httpMetadata, customMetadata }
      })
      // Whoever reads has what was there or what is there: nobody is let in between.
      const replaced = await orGone(files, file, () => place(id, { key, facts, file }))
      if (replaced !== undefined) await files.remove(replaced)
      return { value: factsOf({ facts }) }
    },
    async delete({ id, args: [keys] }) {
      const sql = 'DELETE FROM stored_object WHERE bucket = ? AND key = ? RETURNING file'
      const gone = store.transaction(() =>
        (keys as string[]).flatMap((key) => store.all<{ file: string }>(sql, id, key))
      )
      for (const { file } of gone) await files.remove(file)
      return {}
    },
    async list({ id, args: [options = {}] }) {
      const { prefix = '', cursor = '', limit, delimiter }: Listing = options
      // Of those that begin alike it takes all to know how many stand for one.
      const most = delimiter ? -1 : pageOf(limit) + 1
      const after = Buffer.from(cursor, 'base64url').toString()
      const sql = `SELECT key, facts FROM stored_object WHERE bucket = ? AND key > ?
        AND substr(key, 1, length(?)) = ? ORDER BY key LIMIT ?`
      return { value: listed(store.all<Row>(sql, id, after, prefix, prefix, most), options) }
    }
  }
}

function factsOf({ facts }: Pick<Row, 'facts'>) {
  const { uploaded, ...rest }: Facts = JSON.parse(facts)
  return { ...rest, httpEtag: `"${rest.etag}"`, uploaded: new Date(uploaded) }
}

/** Bytes as they come; what is not what was put is an error, told once all of it was read. */
function intact(body: Bytes, { key, etag }: { key: string; etag: string }): Bytes {
  const source = body[Symbol.asyncIterator]()
  async function* checked() {
    const digest = createHash('md5')
    for (let next = await source.next(); !next.done; next = await source.next()) {
      digest.update(next.value)
      yield next.value
    }
    if (digest.digest('hex') !== etag) throw new Error(`The object ${key} is not what was put.`)
  }
  return leavable(checked(), () => source.return?.())
}

/** What names a file, or fails and leaves no file that nothing names. */
async function orGone<Result>(files: Files, file: string, name: () => Result): Promise<Result> {
  try {
    return name()
  } catch (error) {
    await files.remove(file).catch(() => {})
    throw error
  }
}

async function write(files: Files, body: Bytes | undefined) {
  const digest = createHash('md5')
  const writing = await files.begin()
  let size = 0
  try {
    for await (const chunk of body ?? []) {
      await writing.write(chunk)
      digest.update(chunk)
      size += chunk.length
    }
    return { file: await writing.end(), size, etag: digest.digest('hex') }
  } catch (error) {
    await writing.abandon().catch(() => {})
    throw error
  }
}

function rangeIn({ offset, length, suffix }: Wanted = {}, size: number) {
  for (const given of [offset, length, suffix])
    if (given !== undefined && !(Number.isSafeInteger(given) && given >= 0))
      throw new RangeError('A range is given in whole numbers from 0 on.')
  const first = suffix === undefined ? (offset ?? 0) : Math.max(0, size - suffix)
  if (first > size) throw new RangeError('The range begins beyond the end of the object.')
  return { offset: first, length: Math.min(length ?? size, size - first) }
}

/** As many objects, and prefixes that stand for several, as the limit allows. */
function listed(rows: Row[], { prefix = '', limit, delimiter }: Listing) {
  const most = pageOf(limit)
  const objects: ReturnType<typeof factsOf>[] = []
  const delimitedPrefixes: string[] = []
  let last = ''
  for (const row of rows) {
    const end = delimiter ? row.key.indexOf(delimiter, prefix.length) : -1
    const group = end < 0 ? undefined : row.key.slice(0, end + delimiter!.length)
    if (group === undefined || group !== delimitedPrefixes.at(-1)) {
      if (objects.length + delimitedPrefixes.length >= most) {
        const cursor = Buffer.from(last).toString('base64url')
        return { objects, delimitedPrefixes, truncated: true, cursor }
      }
      if (group === undefined) objects.push(factsOf(row))
      else delimitedPrefixes.push(group)
    }
    last = row.key
  }
  return { objects, delimitedPrefixes, truncated: false }
}
