import { gathered, whole } from '../../kernel/data/files.ts'
import type { Store } from '../../kernel/store.ts'
import type { Time } from '../../kernel/time.ts'
import { pageOf, type Service } from './service.ts'

type Entry = { value: Uint8Array; metadata: string }
type Putting = { expirationTtl?: number; expiration?: number; metadata?: unknown }
type Listing = { prefix?: string; limit?: number; cursor?: string }

const alive = '(expires IS NULL OR expires > ?)'

/** The key-value store: what was put under a key of a namespace, until it expires. */
export function keyValueStore({
  store,
  time,
  valueBytes
}: {
  store: Store
  time: Time
  valueBytes: number
}): Service {
  const deletion = 'DELETE FROM key_value WHERE namespace = ? AND key = ?'
  return {
    async get({ id, args: [key] }) {
      const sql = `SELECT value, metadata FROM key_value
        WHERE namespace = ? AND key = ? AND ${alive}`
      const entry = store.first<Entry>(sql, id, key, time.now())
      if (entry === undefined) return { value: null }
      return { value: { metadata: JSON.parse(entry.metadata) }, body: whole(entry.value) }
    },
    async put({ id, args: [key, options], body }) {
      const { expirationTtl, expiration, metadata = null }: Putting = options
      const value = await gathered(body, valueBytes)
      if (value === undefined) throw new Error(`A value has at most ${valueBytes} bytes.`)
      const fromTtl = expirationTtl && time.now() + expirationTtl * 1_000
      const expires = fromTtl ?? (expiration && expiration * 1_000) ?? null
      const sql = `INSERT OR REPLACE INTO key_value (namespace, key, value, metadata, expires)
        VALUES (?, ?, ?, ?, ?)`
      store.run(sql, id, key, value, JSON.stringify(metadata), expires)
      return {}
    },
    async delete({ id, args: [key] }) {
      store.run(deletion, id, key)
      return {}
    },
    async list({ id, args: [options] }) {
      const { prefix = '', limit, cursor = '' }: Listing = options
      const most = pageOf(limit)
      const after = Buffer.from(cursor, 'base64url').toString()
      const rows = store.all<{ key: string; metadata: string; expires: number | null }>(
        `SELECT key, metadata, expires FROM key_value WHERE namespace = ? AND key > ?
           AND substr(key, 1, length(?)) = ? AND ${alive} ORDER BY key LIMIT ?`,
        ...[id, after, prefix, prefix, time.now(), most + 1]
      )
      const keys = rows.slice(0, most).map(({ key, metadata, expires }) => ({
        name: key,
        ...(expires !== null && { expiration: Math.floor(expires / 1_000) }),
        ...(metadata !== 'null' && { metadata: JSON.parse(metadata) })
      }))
      if (rows.length <= most) return { value: { keys, list_complete: true } }
      const next = Buffer.from(keys.at(-1)!.name).toString('base64url')
      return { value: { keys, list_complete: false, cursor: next } }
    }
  }
}
