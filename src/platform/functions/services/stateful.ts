import { deserialize, serialize } from 'node:v8'
import type { Store } from '../../kernel/store.ts'
import type { ObjectAddress } from '../isolate/contract.ts'
import { pageOf, type Service } from './service.ts'

type Listing = {
  prefix?: string
  start?: string
  end?: string
  limit?: number
  reverse?: boolean
}

/** An alarm that is due. */
export type Alarm = {
  object: string
  function: string
  address: ObjectAddress
  at: number
  due: number
  attempts: number
}

/** A stateful object as its storage knows it: its binding names function and class. */
export function objectKey({ binding, id }: ObjectAddress): string {
  return `${binding}/${id}`
}

/** The function a binding to stateful objects leads to, and the class it exports for them. */
export function objectBinding(binding: string): { functionId: string; className: string } {
  const [functionId = '', className = ''] = binding.split('/')
  return { functionId, className }
}

/** The storage of stateful objects: values by key, and one alarm each. */
export function objectState(store: Store, wake: () => void): Service {
  const entries = (rows: { key: string; value: Uint8Array }[]) =>
    rows.map(({ key, value }) => [key, deserialize(value)])
  const each = (object: ObjectAddress, keys: string[], sql: string) =>
    store.transaction(() =>
      keys.reduce((changed, key) => changed + store.run(sql, objectKey(object), key), 0)
    )
  return {
    async get({ args: [object, keys] }) {
      const sql = 'SELECT key, value FROM object_state WHERE object = ? AND key = ?'
      const rows = keys.map((key: string) => store.first(sql, objectKey(object), key))
      return { value: entries(rows.filter(Boolean)) }
    },
    async put({ args: [object, given] }) {
      const sql = 'INSERT OR REPLACE INTO object_state (object, key, value) VALUES (?, ?, ?)'
      store.transaction(() => {
        for (const [key, value] of given) store.run(sql, objectKey(object), key, serialize(value))
      })
      return {}
    },
    async delete({ args: [object, keys] }) {
      const sql = 'DELETE FROM object_state WHERE object = ? AND key = ?'
      return { value: each(object, keys, sql) }
    },
    async list({ args: [object, options = {}] }) {
      return { value: entries(listed(store, objectKey(object), options)) }
    },
    async deleteAll({ args: [object] }) {
      store.run('DELETE FROM object_state WHERE object = ?', objectKey(object))
      return {}
    },
    ...alarms(store, wake)
  }
}

/**
 * The most bytes one listing has, with what each key takes beside itself: all of it is read at
 * once, by the thread that serves everybody.
 */
const listedBytes = 16_777_216
const bytesOfEach = 100

function listed(store: Store, object: string, options: Listing) {
  const { prefix = '', start = '', end = null, limit, reverse = false } = options
  const order = reverse ? 'DESC' : ''
  const those = `FROM object_state WHERE object = ? AND substr(key, 1, length(?)) = ?
    AND key >= ? AND (? IS NULL OR key < ?) ORDER BY key ${order} LIMIT ?`
  const most = pageOf(limit, Number.MAX_SAFE_INTEGER)
  const given = [object, prefix, prefix, start, end, end, most]
  const { bytes } = store.first<{ bytes: number | null }>(
    `SELECT sum(bytes) AS bytes
       FROM (SELECT length(key) + length(value) + ${bytesOfEach} AS bytes ${those})`,
    ...given
  )!
  if ((bytes ?? 0) > listedBytes)
    throw new RangeError(`A list has at most ${listedBytes} bytes: ask for fewer, with a limit.`)
  return store.all<{ key: string; value: Uint8Array }>(`SELECT key, value ${those}`, ...given)
}

function alarms(store: Store, wake: () => void): Service {
  return {
    async getAlarm({ args: [object] }) {
      const sql = 'SELECT at FROM object_alarm WHERE object = ?'
      return { value: store.first<{ at: number }>(sql, objectKey(object))?.at ?? null }
    },
    async setAlarm({ args: [object, at] }) {
      if (!Number.isSafeInteger(at)) throw new TypeError('An alarm is set to a moment.')
      const { functionId } = objectBinding(object.binding)
      store.run(
        `INSERT OR REPLACE INTO object_alarm (object, function, address, at, due, attempts)
           VALUES (?, ?, ?, ?, ?, 0)`,
        ...[objectKey(object), functionId, JSON.stringify(object), at, at]
      )
      wake()
      return {}
    },
    async deleteAlarm({ args: [object] }) {
      store.run('DELETE FROM object_alarm WHERE object = ?', objectKey(object))
      return {}
    }
  }
}

/** The alarms that are due, except for objects that are busy with one. */
export function dueAlarms(store: Store, now: number, busy: ReadonlySet<string>): Alarm[] {
  return store
    .all<Omit<Alarm, 'address'> & { address: string }>(
      `SELECT object, function, address, at, due, attempts FROM object_alarm
         WHERE due <= ? ORDER BY due`,
      now
    )
    .filter(({ object }) => !busy.has(object))
    .map((alarm) => ({ ...alarm, address: JSON.parse(alarm.address) }))
}

/** Takes an alarm away that went off, or puts it off until `again`, unless it was set anew. */
export function settleAlarm(store: Store, alarm: Alarm, again?: number) {
  const { object, at, attempts } = alarm
  const its = 'WHERE object = ? AND at = ? AND attempts = ?'
  if (again === undefined) store.run(`DELETE FROM object_alarm ${its}`, object, at, attempts)
  else {
    const later = `UPDATE object_alarm SET due = ?, attempts = attempts + 1 ${its}`
    store.run(later, again, object, at, attempts)
  }
}

/** When the next alarm is due, except for objects that are busy with one. */
export function nextAlarm(store: Store, busy: ReadonlySet<string>): number | undefined {
  const sql = 'SELECT object, due FROM object_alarm ORDER BY due LIMIT ?'
  const rows = store.all<{ object: string; due: number }>(sql, busy.size + 1)
  return rows.find(({ object }) => !busy.has(object))?.due
}
