import type { Context } from 'plimsoll'

/** 32 hexadecimal digits that nothing has as its id yet. */
export function freshId(random: Context['random']): string {
  return Array.from({ length: 32 }, () => Math.floor(random() * 16).toString(16)).join('')
}
