import type { Client, Context, Reply } from 'plimsoll'
import { freshId } from './_id.ts'
import { type Item, item } from './_reply.ts'

/** What a client says of a CSP policy. */
export type Policy = {
  description: string
  action: string
  expression: string
  /** The document has it as a word, and calls it a boolean. */
  enabled: string | boolean
  value: string
}

/** A policy that harms nobody: it is off, only logs, and is about a host that nobody has. */
export function draft(random: Context['random']): Policy {
  return {
    description: `Plimsoll’s “${freshId(random).slice(0, 8)}” – läuft nicht`,
    action: 'log',
    expression: 'http.host eq "shop.example.test" and http.request.uri.path eq "/pay"',
    enabled: 'false',
    value: "script-src 'self' cdn.example.test https://assets.example.test/pay.js"
  }
}

/** A boolean for the word for one, since the document has `enabled` as both. */
function plain(value: unknown): unknown {
  return value === 'true' ? true : value === 'false' ? false : value
}

/** The fields in which a policy is not as expected. */
export function differences(policy: Item, expected: Item): string[] {
  const fields = ['description', 'action', 'expression', 'enabled', 'value']
  return fields.filter((field) => plain(policy[field]) !== plain(expected[field]))
}

/** A policy that was created: the reply that said so, and where it is. */
export type Created = { reply: Reply; id: unknown; path: string }

/**
 * Creates a policy, does something with it where that worked, and deletes it again. Returns what
 * the target said to the creation.
 */
export async function withPolicy(
  { management, zone, policy }: { management: Client; zone: string; policy: Policy },
  use: (created: Created) => Promise<void> = async () => {}
): Promise<Reply> {
  const all = `/zones/${zone}/page_shield/policies`
  const reply = await management.post(all, { json: policy })
  const { id } = item(reply)
  if (id === undefined) return reply
  const path = `${all}/${encodeURIComponent(`${id}`)}`
  try {
    await use({ reply, id, path })
  } finally {
    await management.delete(path)
  }
  return reply
}
