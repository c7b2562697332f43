import type { Client, Reply } from 'plimsoll'
import { isServed } from './_reply.ts'

/**
 * Reads a zone in one documented way after another until one is served, and returns that reply or
 * the last one: whether a client is let in does not hang on a single operation.
 */
export async function reach(client: Client, zone: string): Promise<Reply> {
  const path = `/zones/${encodeURIComponent(zone)}/page_shield`
  let reply = await client.get(path)
  for (const list of ['scripts', 'connections', 'cookies', 'policies']) {
    if (isServed(reply)) break
    reply = await client.get(`${path}/${list}`)
  }
  return reply
}
