/** The first bytes of a body, as many as asked for unless it ends before, and all of it. */
export async function prefixed(
  body: AsyncIterable<Buffer>,
  least: number
): Promise<{ first: Buffer; body: AsyncGenerator<Buffer> }> {
  const rest = body[Symbol.asyncIterator]()
  const chunks: Buffer[] = []
  let bytes = 0
  let isOver = false
  while (bytes < least && !isOver) {
    const { done, value } = await rest.next()
    isOver = done === true
    if (!value) continue
    bytes += value.length
    chunks.push(value)
  }
  async function* whole() {
    try {
      yield* chunks
      while (!isOver) {
        const { done, value } = await rest.next()
        if (done) return
        yield value
      }
    } finally {
      await rest.return?.()
    }
  }
  return { first: Buffer.concat(chunks), body: whole() }
}
