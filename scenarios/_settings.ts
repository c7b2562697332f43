import type { Client, Reply } from 'plimsoll'
import { type Item, item } from './_reply.ts'

/** What scenarios that change a zone's settings name in `alone`. */
export const settingsLock = 'page-protection settings'

/** A zone's settings, as two operations read and change them. */
export type Settings = {
  read: () => Promise<Reply>
  /** Updates the flag, with other fields of the settings where they are given. */
  turn: (enabled: boolean, others?: Item) => Promise<Reply>
}

/** Lends the settings of a zone, and puts the flag back as it was. */
export async function withSettings(
  { management, zone }: { management: Client; zone: string },
  use: (settings: Settings) => Promise<void>
): Promise<void> {
  const path = `/zones/${zone}/page_shield`
  const read = () => management.get(path)
  const turn: Settings['turn'] = (enabled, others) =>
    management.put(path, { json: { ...others, enabled } })
  const { enabled } = item(await read())
  try {
    await use({ read, turn })
  } finally {
    if (typeof enabled === 'boolean') await turn(enabled)
  }
}
