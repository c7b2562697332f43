const { ReadableStream, Response, TextEncoder } = globalThis
const encoder = new TextEncoder()

/** In which shape a stored value is wanted. */
export type Shape = 'text' | 'json' | 'arrayBuffer' | 'stream' | { type?: Shape }

/** What is given to be stored, as bytes or as the stream it is. */
export function bytesOf(value: unknown): Uint8Array | ReadableStream<Uint8Array> {
  if (typeof value === 'string') return encoder.encode(value)
  if (value instanceof ArrayBuffer) return new Uint8Array(value)
  if (ArrayBuffer.isView(value))
    return new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
  if (value instanceof ReadableStream) return value
  throw new TypeError('Only text, bytes and streams of bytes can be stored.')
}

/** A stored value in the shape that is wanted. */
export async function readAs(shape: Shape = 'text', body?: ReadableStream<Uint8Array>) {
  if (typeof shape === 'object') return readAs(shape.type, body)
  const response = new Response(body)
  if (shape === 'stream') return response.body
  if (shape === 'json') return response.json()
  return shape === 'arrayBuffer' ? response.arrayBuffer() : response.text()
}
