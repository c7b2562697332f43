import { type Client, pairwise, type Reply } from 'plimsoll'

/** Methods that a request to a function may have; each is a request. */
export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'] as const

/** What requests of a crowd differ in, every two of which meet: each counts as one, and alike. */
const kinds = pairwise(
  {
    // A client begins a connection anew behind each HEAD.
    method: methods.filter((method) => method !== 'HEAD'),
    path: ['', 'a', 'a/b', '?c=1'],
    headers: [{}, { cookie: 'a=1' }, { accept: 'text/html' }, { 'user-agent': 'a program' }]
  },
  { seed: 16 }
)

/** Requests that are under way at once. */
const width = 24

/** Sends so many requests of all kinds as fast as they are answered; the replies are in order. */
export async function crowd(client: Client, count: number): Promise<Reply[]> {
  const replies: Reply[] = []
  let next = 0
  const walk = async () => {
    while (next < count) {
      const place = next++
      const { method, path, headers } = kinds[place % kinds.length]!
      replies[place] = await client.ask(method, `/${path}`, { headers })
    }
  }
  await Promise.all(Array.from({ length: width }, walk))
  return replies
}

/** Whether a request was turned away for coming too often. */
export function isLimited({ status }: Reply): boolean {
  return status === 429
}

/** How many of some replies are of a sort. */
export function count(replies: readonly Reply[], isOfSort: (reply: Reply) => boolean): number {
  return replies.filter(isOfSort).length
}
