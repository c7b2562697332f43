import { decoded } from './coding.ts'

const keptTextBytes = 65_536
const keptJsonBytes = 8 * 1_048_576

/** The body of a response while it comes in: every byte is counted, the first ones are kept. */
export type Body = {
  add: (bytes: Buffer) => void
  /**
   * What a reply says of a body that came in these content codings, the value of its header;
   * `received` are bytes as they came, and `json` stays undefined beyond 8 MiB.
   */
  read: (codings?: string) => { body: string; json: any; received: number }
}

/** A body that nothing has been received of yet. */
export function createBody(): Body {
  // One buffer that grows, because a body may come in as many parts as it has bytes.
  let kept = Buffer.alloc(0)
  let received = 0
  let keptBytes = 0
  const keep = (bytes: Buffer) => {
    const length = keptBytes + bytes.length
    if (length > kept.length) {
      const larger = Buffer.allocUnsafe(2 * length)
      kept.copy(larger, 0, 0, keptBytes)
      kept = larger
    }
    bytes.copy(kept, keptBytes)
    keptBytes = length
  }
  return {
    add(bytes) {
      if (received < keptJsonBytes) keep(bytes)
      received += bytes.length
    },
    read(codings = '') {
      const bytes = decoded(kept.subarray(0, keptBytes), codings, keptJsonBytes)
      const isWhole = received <= keptJsonBytes
      return { body: text(bytes), json: isWhole ? parsed(bytes) : undefined, received }
    }
  }
}

/** The beginning as text; a character that the cut falls into is left out. */
function text(bytes: Buffer): string {
  return new TextDecoder().decode(bytes.subarray(0, keptTextBytes), { stream: true })
}

function parsed(bytes: Buffer): any {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return undefined
  }
}
