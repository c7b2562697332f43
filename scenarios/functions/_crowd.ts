import type { Client, Reply } from 'plimsoll'

/** Requests that are under way at once. */
const width = 24

/** Sends so many requests as fast as they are answered, and returns the replies in order. */
export async function crowd(client: Client, count: number, path = '/'): Promise<Reply[]> {
  const replies: Reply[] = []
  let next = 0
  const walk = async () => {
    while (next < count) {
      const place = next++
      replies[place] = await client.get(path)
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
