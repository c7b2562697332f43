import type { Pairs } from '../../contract.ts'
import type { Calls } from '../calls.ts'
import { headOf, responseOf } from './fetch.ts'

const { Request } = globalThis
type RequestInput = ConstructorParameters<typeof Request>[0]

/** Makes the `caches` of the function. */
export function createCaches({ call }: Calls) {
  const open = (id: string) => ({
    async match(input: RequestInput, options?: { ignoreMethod?: boolean }) {
      const request = new Request(input)
      const args = [headOf(request), { ignoreMethod: options?.ignoreMethod ?? false }]
      const result = await call({ service: 'cache', method: 'match', id, args })
      return result.value ? responseOf(result, request.url) : undefined
    },
    async put(input: RequestInput, response: Response): Promise<void> {
      const { status } = response
      const head = { status, headers: [...response.headers] as Pairs }
      const args = [headOf(new Request(input)), head]
      await call({ service: 'cache', method: 'put', id, args, body: response.body })
    },
    async delete(input: RequestInput): Promise<boolean> {
      const args = [headOf(new Request(input))]
      return (await call({ service: 'cache', method: 'delete', id, args })).value
    }
  })
  return { default: open('default'), open: async (name: string) => open(name) }
}
