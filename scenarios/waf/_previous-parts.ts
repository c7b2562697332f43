import type { Client } from 'plimsoll'
import { type Item, items } from '../_reply.ts'

/** Words that fields of packages may take; which of them there are is nowhere said. */
const values = {
  sensitivity: ['high', 'medium', 'low', 'off', 'default'],
  action_mode: ['simulate', 'block', 'challenge']
}

/** A part of the previous WAF, and the fields of it that can be changed, each to these values. */
export type Part = {
  kind: 'packages' | 'groups' | 'rules'
  path: string
  fields: [string, string[]][]
}

/** Every package, and of its groups and rules the first and the last. */
export async function partsIn(management: Client, all: string): Promise<Part[]> {
  const parts: Part[] = []
  for (const one of items(await management.get(all))) {
    const fields = Object.entries(values).filter(([field]) => field in one)
    parts.push({ kind: 'packages', path: `${all}/${one.id}`, fields })
    for (const kind of ['groups', 'rules'] as const) {
      const path = `${all}/${one.id}/${kind}`
      const members = items(await management.get(path))
      for (const member of new Set([members[0], members.at(-1)]))
        if (member && Array.isArray(member.allowed_modes))
          parts.push({
            kind,
            path: `${path}/${member.id}`,
            fields: [['mode', member.allowed_modes]]
          })
    }
  }
  return parts
}

/** All that the lists of a zone's previous WAF tell, by id; twins of another zone have the same. */
export async function told(management: Client, all: string): Promise<Map<string, Item>> {
  const found = new Map<string, Item>()
  for (const one of items(await management.get(all))) {
    const lists = ['groups', 'rules'].map((kind) => management.get(`${all}/${one.id}/${kind}`))
    for (const member of [one, ...(await Promise.all(lists)).flatMap(items)])
      found.set(`${member.id}`, member)
  }
  return found
}
