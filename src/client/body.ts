const keptTextBytes = 65_536
const keptJsonBytes = 8 * 1_048_576

/** The body of a response while it comes in: every byte is counted, the first ones are kept. */
export type Body = {
  add: (bytes: Buffer) => void
  /** What a reply says of the body; `json` stays undefined beyond 8 MiB. */
  read: () => { body: string; json: any; received: number }
}

/** A body that nothing has been received of yet. */
export function createBody(): Body {
  const kept: Buffer[] = []
  let received = 0
  return {
    add(bytes) {
      // A copy, because a small part would hold on to the whole buffer it was read into.
      if (received < keptJsonBytes) kept.push(Buffer.from(bytes))
      received += bytes.length
    },
    read() {
      const bytes = Buffer.concat(kept)
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
