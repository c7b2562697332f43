import type { Equivalence } from './equivalent.ts'

const file = 'src/platform/gateway/json-text.ts'

/** Faults in how JSON is read as text that come to the same for whatever text is JSON, and why. */
export const silentJsonText: readonly Equivalence[] = [
  {
    file,
    operators: ['boundary'],
    line: /at < text\.length/,
    because: 'behind the end of a text there is no sign of any kind'
  },
  {
    file,
    operators: ['drop-branch'],
    line: /const isEnd = /,
    after: /^\(depth === 0\)$/,
    because: 'outside of all brackets there is nothing but white space, which is no part'
  },
  {
    file,
    operators: ['number'],
    line: /let begin = 0/,
    because: 'where the first part begins is told by the first bracket'
  },
  {
    file,
    operators: ['number'],
    line: /let at = 0/,
    before: /^0$/,
    after: /^\(-1\)$/,
    because: 'before a text there is no sign of any kind'
  }
]
