import type { SymbolSet } from './symbol.ts'

/**
 * A regular expression as a tree. It runs over symbols: bytes, or code points in Unicode mode.
 * What a flag changes is already worked in: a set knows its cases, a repeat its greed.
 */
export type Pattern =
  | { readonly kind: 'empty' }
  | { readonly kind: 'take'; readonly set: SymbolSet }
  | { readonly kind: 'look'; readonly look: Look }
  | { readonly kind: 'capture'; readonly index: number; readonly inner: Pattern }
  | { readonly kind: 'sequence'; readonly parts: readonly Pattern[] }
  | { readonly kind: 'choice'; readonly parts: readonly Pattern[] }
  | {
      readonly kind: 'repeat'
      readonly inner: Pattern
      readonly min: number
      /** Infinity when there is no end to it. */
      readonly max: number
      readonly greed: 'greedy' | 'lazy'
    }

/** What can be asked of the place between two symbols. */
export type Look =
  | 'start'
  | 'end'
  | 'line start'
  | 'line end'
  | 'word edge'
  | 'no word edge'
  | 'word start'
  | 'word end'
  | 'half word start'
  | 'half word end'

/** What is next to a place: the edge of the value, the end of a line, part of a word, or else. */
export type Side = 'edge' | 'newline' | 'word' | 'other'

/** Whether a look holds between what is behind a place and what is ahead of it. */
export function holds(look: Look, behind: Side, ahead: Side): boolean {
  switch (look) {
    case 'start':
      return behind === 'edge'
    case 'end':
      return ahead === 'edge'
    case 'line start':
      return behind === 'edge' || behind === 'newline'
    case 'line end':
      return ahead === 'edge' || ahead === 'newline'
    case 'word edge':
      return (behind === 'word') !== (ahead === 'word')
    case 'no word edge':
      return (behind === 'word') === (ahead === 'word')
    case 'word start':
      return behind !== 'word' && ahead === 'word'
    case 'word end':
      return behind === 'word' && ahead !== 'word'
    case 'half word start':
      return behind !== 'word'
    case 'half word end':
      return ahead !== 'word'
  }
}
