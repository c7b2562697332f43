import { createHash } from 'node:crypto'
import { newId } from '../../id.ts'
import type { Store } from '../../store.ts'
import type { Time } from '../../time.ts'
import type { Files } from '../files.ts'
import type { Bytes } from '../isolate/contract.ts'
import type { Service } from './service.ts'

type Facts = { key: string; version: string; size: number; etag: string; uploaded: string }
type Row = { key: string; facts: string; file: string }
type Wanted = { offset?: number; length?: number; suffix?: number }
type Listing = { prefix?: string; limit?: number; cursor?: string; delimiter?: string }

const mostListed = 1_000

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
  const drop = async (bucket: string, key: string) => {
    const found = row(bucket, key)
    store.run('DELETE FROM stored_object WHERE bucket = ? AND key = ?', bucket, key)
    if (found) await files.remove(found.file)
  }
  return {
    async head({ id, args: [key] }) {
      const found = row(id, key)
      return { value: found ? factsOf(found) : null }
    },
    async get({ id, args: [key, options = {}] }) {
      const found = row(id, key)
      if (found === undefined) return { value: null }
      const facts = factsOf(found)
      const range = rangeIn(options.range, facts.size)
      const body = await files.read(found.file, range)
      if (body === undefined) return { value: null }
      return { value: { ...facts, ...(options.range && { range }) }, body }
    },
    async put({ id, args: [key, options = {}], body }) {
      const { httpMetadata = {}, customMetadata = {} } = options
      const written = await write(files, body)
      const { file, ...about } = written
      const uploaded = new Date(time.now()).toISOString()
      const facts = { key, version: newId(), ...about, uploaded, httpMetadata, customMetadata }
      await drop(id, key)
      const sql = 'INSERT INTO stored_object (bucket, key, facts, file) VALUES (?, ?, ?, ?)'
      store.run(sql, id, key, JSON.stringify(facts), file)
      return { value: factsOf({ facts: JSON.stringify(facts) }) }
    },
    async delete({ id, args: [keys] }) {
      for (const key of keys) await drop(id, key)
      return {}
    },
    async list({ id, args: [options = {}] }) {
      const { prefix = '', cursor = '' }: Listing = options
      const after = Buffer.from(cursor, 'base64url').toString()
      const sql = `SELECT key, facts FROM stored_object WHERE bucket = ? AND key > ?
        AND substr(key, 1, length(?)) = ? ORDER BY key`
      return { value: listed(store.all<Row>(sql, id, after, prefix, prefix), options) }
    }
  }
}

function factsOf({ facts }: Pick<Row, 'facts'>) {
  const { uploaded, ...rest }: Facts = JSON.parse(facts)
  return { ...rest, httpEtag: `"${rest.etag}"`, uploaded: new Date(uploaded) }
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
  } catch (error) {
    await writing.abandon()
    throw error
  }
  return { file: await writing.end(), size, etag: digest.digest('hex') }
}

function rangeIn({ offset, length, suffix }: Wanted = {}, size: number) {
  const first = suffix === undefined ? (offset ?? 0) : Math.max(0, size - suffix)
  if (first > size) throw new RangeError('The range begins beyond the end of the object.')
  return { offset: first, length: Math.min(length ?? size, size - first) }
}

/** As many objects, and prefixes that stand for several, as the limit allows. */
function listed(rows: Row[], { prefix = '', limit = mostListed, delimiter }: Listing) {
  const most = Math.min(limit, mostListed)
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
