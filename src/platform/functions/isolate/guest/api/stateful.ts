import { createHash, randomBytes } from 'node:crypto'
import type { ObjectAddress } from '../../contract.ts'
import type { Calls } from '../calls.ts'
import { createFetcher } from './fetch.ts'

type ObjectId = { name?: string; toString(): string }

const objectId = (text: string, name?: string): ObjectId =>
  Object.freeze({ toString: () => text, ...(name !== undefined && { name }) })

/** Makes a binding to a class of stateful objects: ids, and something to send requests to. */
export function createStateful(calls: Calls, id: string) {
  return {
    idFromName: (name: string) =>
      objectId(createHash('sha256').update(`${id}\n${name}`).digest('hex'), name),
    newUniqueId: () => objectId(randomBytes(32).toString('hex')),
    idFromString(text: string) {
      if (/^[0-9a-f]{64}$/.test(text)) return objectId(text)
      throw new TypeError('An id is 64 hexadecimal digits.')
    },
    get: (object: ObjectId) => ({
      id: object,
      ...createFetcher(calls, { service: 'stateful', id, leading: [object.toString()] })
    })
  }
}

/** Makes the storage of one stateful object. */
export function createStorage({ call }: Calls, object: ObjectAddress) {
  const ask = async (method: string, ...args: unknown[]) =>
    (await call({ service: 'storage', method, id: object.binding, args: [object, ...args] })).value
  const entriesOf = (keys: string | object, value: unknown) =>
    typeof keys === 'string' ? [[keys, value]] : Object.entries(keys)
  const storage = {
    async get(keys: string | string[]) {
      const entries = new Map<string, unknown>(await ask('get', [keys].flat()))
      return typeof keys === 'string' ? entries.get(keys) : entries
    },
    put: (keys: string | object, value?: unknown) => ask('put', entriesOf(keys, value)),
    async delete(keys: string | string[]) {
      const deleted: number = await ask('delete', [keys].flat())
      return typeof keys === 'string' ? deleted > 0 : deleted
    },
    list: async (options: object = {}) => new Map<string, unknown>(await ask('list', options)),
    deleteAll: () => ask('deleteAll'),
    getAlarm: (): Promise<number | null> => ask('getAlarm'),
    setAlarm: (at: Date | number) => ask('setAlarm', Number(at)),
    deleteAlarm: () => ask('deleteAlarm')
  }
  return storage
}
