import { type Answer, type Bytes, FunctionFailed } from './isolate/contract.ts'

/**
 * An answer of whose body something has come, or its end: nothing of it can have been sent before.
 * Throws FunctionFailed for one that breaks off until then, of which a client gets an error page.
 */
export async function begun(answer: Answer): Promise<Answer> {
  if (answer.body === null) return answer
  const bytes = answer.body[Symbol.asyncIterator]()
  try {
    return { ...answer, body: resumed(await bytes.next(), bytes) }
  } catch (error) {
    if (error instanceof FunctionFailed) throw error
    const { message } = error as Error
    throw new FunctionFailed(message, { outcome: 'exception', passesThrough: false })
  }
}

/** Bytes of which the first have been read. */
function resumed(first: IteratorResult<Uint8Array>, rest: AsyncIterator<Uint8Array>): Bytes {
  let held: typeof first | undefined = first
  const bytes: AsyncIterableIterator<Uint8Array> = {
    [Symbol.asyncIterator]: () => bytes,
    async next() {
      const next = held ?? (await rest.next())
      held = undefined
      return next
    },
    async return() {
      await rest.return?.()
      return { done: true, value: undefined }
    }
  }
  return bytes
}
