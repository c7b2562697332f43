import { refuse, takeMatch } from '../scanner.ts'
import type { Flags, Reader } from './reader.ts'
import type { Mode } from './symbol.ts'

/**
 * Reads the flags of a group whose `(?` has been taken, turns them on and off, and returns what
 * ended them: `)` when they hold for the rest of the group around, `:` when for a new one.
 */
export function readFlags(reader: Reader): ')' | ':' {
  const start = reader.at - 2
  const [, on = '', dash = '', off = '', end] =
    takeMatch(reader, /([a-zA-Z]*)(-?)([a-zA-Z]*)([:)])/y) ?? []
  if (end === undefined || (dash === '-') !== (off !== '')) {
    refuse(reader, 'unrecognised flags', { start })
  }
  if (on + off === '' && end === ')') refuse(reader, 'missing flags', { start })
  if (new Set(on + off).size < on.length + off.length) refuse(reader, 'repeated flag', { start })
  if (on.includes('u')) setMode(reader, { mode: 'unicode', start, end })
  if (off.includes('u')) setMode(reader, { mode: 'bytes', start, end })
  const flags: Record<string, boolean> = { ...reader.flags }
  for (const letter of (on + off).replace('u', '')) {
    if (!Object.hasOwn(flags, letter)) refuse(reader, `unrecognised flag ${letter}`, { start })
    flags[letter] = on.includes(letter)
  }
  reader.flags = flags as Flags
  return end as ')' | ':'
}

/** Bytes and characters cannot be mixed in one pattern, so the mode is chosen where it begins. */
function setMode(
  reader: Reader,
  { mode, start, end }: { mode: Mode; start: number; end: string }
): void {
  if (mode === reader.mode) return
  if (start > 0 || end === ':')
    refuse(reader, 'the flag u can only be set at the beginning', { start })
  reader.mode = mode
}
