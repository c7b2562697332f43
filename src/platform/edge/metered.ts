import type { EdgeRequest } from './request.ts'

/** A request body turned out to be larger than it may be. */
export class BodyTooLarge extends Error {}

/** A request's body as it arrives; throws `BodyTooLarge` as soon as it is past the limit. */
export async function* metered(request: EdgeRequest, limitBytes: number): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of request.body) {
    bytes += chunk.length
    if (bytes > limitBytes) throw new BodyTooLarge()
    yield chunk
  }
}
