import { hash, randomBytes } from 'node:crypto'

/** A fresh id: 32 hexadecimal digits. */
export function newId(): string {
  return randomBytes(16).toString('hex')
}

/** The id that belongs to a name, 32 hexadecimal digits: the same one every time. */
export function idOf(name: string): string {
  return hash('sha256', name).slice(0, 32)
}

/** Whether a path segment can be an id at all: hexadecimal digits, as the document says. */
export function isId(text: string): boolean {
  return /^[0-9a-f]+$/i.test(text)
}
