import type { Calls } from '../calls.ts'
import { bytesOf } from './body.ts'

const { Response } = globalThis

/** Makes a binding to a bucket of the object storage. */
export function createObjects({ call }: Calls, id: string) {
  const ask = (method: string, args: unknown[], body?: Uint8Array | ReadableStream) =>
    call({ service: 'objects', method, id, args, body })
  return {
    head: async (key: string) => (await ask('head', [key])).value ?? null,
    async get(key: string, options: object = {}) {
      const { value, body } = await ask('get', [key, options])
      if (!value) return null
      const response = new Response(body)
      return {
        ...value,
        get body() {
          return response.body
        },
        get bodyUsed() {
          return response.bodyUsed
        },
        text: () => response.text(),
        json: () => response.json(),
        arrayBuffer: () => response.arrayBuffer()
      }
    },
    put: async (key: string, value: unknown, options: object = {}) =>
      (await ask('put', [key, options], bytesOf(value))).value,
    async delete(keys: string | string[]): Promise<void> {
      await ask('delete', [[keys].flat()])
    },
    list: async (options: object = {}) => (await ask('list', [options])).value
  }
}
