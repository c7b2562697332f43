import { Refusal } from './failure.ts'

/** Where reading has got to in a source: an offset, the next character to read. */
export type Scanner = { readonly source: string; at: number }

/** Stops reading: what is at the scanner, up to the end unless said otherwise, cannot be there. */
export function refuse(scanner: Scanner, reason: string, span: Partial<Span> = {}): never {
  throw new Refusal(reason, { start: scanner.at, end: scanner.source.length, ...span })
}

type Span = { start: number; end: number }

/** Whether the source goes on with a text. */
export function isNext(scanner: Scanner, text: string): boolean {
  return scanner.source.startsWith(text, scanner.at)
}

/** Takes a text if the source goes on with it, and says whether it did. */
export function take(scanner: Scanner, text: string): boolean {
  if (!isNext(scanner, text)) return false
  scanner.at += text.length
  return true
}

/** Takes a text that has to be there. */
export function expect(scanner: Scanner, text: string): void {
  if (!take(scanner, text)) refuse(scanner, `expected literal ${JSON.stringify(text)}`)
}

/** Takes the first of several texts that the source goes on with, or nothing. */
export function takeOne<Text extends string>(
  scanner: Scanner,
  texts: readonly Text[]
): Text | undefined {
  return texts.find((text) => take(scanner, text))
}

/** The text that a sticky pattern matches at the scanner, which stays where it is. */
export function nextMatch(scanner: Scanner, pattern: RegExp): string | undefined {
  return matchAt(scanner, pattern)?.[0]
}

/** Takes the text that a sticky pattern matches at the scanner, or nothing. */
export function taken(scanner: Scanner, pattern: RegExp): string | undefined {
  return takeMatch(scanner, pattern)?.[0]
}

/** Takes what a sticky pattern matches at the scanner, with its groups, or nothing. */
export function takeMatch(scanner: Scanner, pattern: RegExp): RegExpExecArray | undefined {
  const found = matchAt(scanner, pattern)
  scanner.at += found?.[0].length ?? 0
  return found
}

function matchAt({ source, at }: Scanner, pattern: RegExp): RegExpExecArray | undefined {
  pattern.lastIndex = at
  return pattern.exec(source) ?? undefined
}
