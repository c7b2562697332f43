import type { Calls } from '../calls.ts'
import { bytesOf, readAs, type Shape } from './body.ts'

/** Makes a binding to a key-value namespace. */
export function createKv({ call }: Calls, id: string) {
  const ask = (method: string, args: unknown[], body?: Uint8Array | ReadableStream) =>
    call({ service: 'kv', method, id, args, body })
  const getWithMetadata = async (key: string, shape?: Shape) => {
    const { value, body } = await ask('get', [key])
    if (!value) return { value: null, metadata: null }
    return { value: await readAs(shape, body), metadata: value.metadata ?? null }
  }
  return {
    getWithMetadata,
    get: async (key: string, shape?: Shape) => (await getWithMetadata(key, shape)).value,
    async put(key: string, value: unknown, options: object = {}): Promise<void> {
      await ask('put', [key, options], bytesOf(value))
    },
    async delete(key: string): Promise<void> {
      await ask('delete', [key])
    },
    list: async (options: object = {}) => (await ask('list', [options])).value
  }
}
