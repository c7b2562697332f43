import type { Reply, RequestOptions } from 'plimsoll'

/** How HTTP carries JSON: in chunks of so many bytes, and behind so many spaces. */
export type Carried = { chunkBytes?: number; spaces?: number }

/** These mean the same (RFC 9112, 7.1; RFC 8259, 2); what is long comes in several packets. */
export const carried: Carried[] = [
  ...[16, 100_000].map((chunkBytes) => ({ chunkBytes })),
  ...[{ spaces: 70_001 }, { spaces: 70_001, chunkBytes: 9_973 }]
]

/** The options of a request with this body. */
export function carrying(json: unknown, { chunkBytes, spaces = 0 }: Carried): RequestOptions {
  const body = ' '.repeat(spaces) + JSON.stringify(json)
  return { body, chunkBytes, headers: { 'content-type': 'application/json' } }
}

/** Whether an answer is about that: a server may want a length (411), and read only so much. */
export function isAboutCarriage({ status }: Reply): boolean {
  return [411, 413].includes(status)
}
