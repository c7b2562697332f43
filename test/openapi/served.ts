import type { Tree } from './inlined.ts'

/** Parts of public files, in test/openapi/documents. */
export const documents = ['github', 'box', 'square'] as const

/** Makes of servers that hold requests to such a file. */
export const makes = ['fastify', 'express', 'plain'] as const

/** A make of servers. */
export type Make = (typeof makes)[number]

/** A server that listens on loopback until it is disposed of. */
export type Served = AsyncDisposable & { url: string }

/** Starts a server of a make by a file whose references are resolved. */
export async function serving(make: Make, document: Tree): Promise<Served> {
  // Plain JavaScript, as they are written by others: their packages have types of their own.
  const { serve } = await import(`./servers/${make}.js`)
  const { url, close } = await serve(document)
  return { url, [Symbol.asyncDispose]: close }
}
