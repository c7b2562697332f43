import type { Equivalence } from './equivalent.ts'

const management = 'src/platform/management/'

/** Faults in the management API where the document is silent, and why it is. */
export const silentManagement: readonly Equivalence[] = [
  ...['management', 'page-protection', 'waf'].map((part) => ({
    file: `src/platform/${part}/part.ts`,
    operators: ['drop-property'],
    before: /^name: '\w+',\s+$/,
    because: 'a part is known by its name to those who break it, and to nobody else'
  })),
  {
    file: `${management}zone-operations.ts`,
    because: 'an operation of ours: the document does not have it'
  },
  {
    file: `${management}rules.ts`,
    before: /^(1_048_576|bodyBytes: 1_048_576|, operations: zoneOperations)$|zoneOperations/,
    because: 'the document says nothing of the size of bodies, and has no operation on a zone'
  },
  {
    file: `${management}part.ts`,
    before: /^(,\s*breaks: .*|words,\s*|offset: 0,\s*|0)$/,
    because: 'where our listener is, and how we are broken on purpose'
  },
  {
    file: `${management}identity.ts`,
    operators: ['swap-arguments'],
    because: 'two texts are alike whichever is named first'
  },
  {
    file: `${management}management.ts`,
    line: /Allow|isFull|errorHandler|onMalformed|\.\.\.headers|bodyBytes|content-type/,
    operators: ['drop-property', 'drop-guard', 'number', 'first-only', 'drop-branch'],
    before: /^(?!, headers:|, 'Content|operation\.bodyBytes.*)|^\.\.\.headers/,
    because: 'OPTIONS, statuses, what is no request, full disks, size and type of bodies: not said'
  },
  {
    file: `${management}management.ts`,
    before: /^(,\s*onMalformed.*|isFull\(error\)$)/,
    because: 'what is no request, and full disks: not said'
  },
  {
    file: `${management}management.ts`,
    operators: ['swap-arguments'],
    line: /isOwn\(identity, zone\)/,
    because: 'two accounts are alike whichever is named first'
  },
  {
    file: `${management}management.ts`,
    operators: ['drop-guard', 'first-only'],
    line: /Object\.values\(ids\)\.every/,
    because: 'what nothing can have as its id is not found either'
  },
  {
    file: `${management}management.ts`,
    before: /^(, options|ids\.id \?\? '')$/,
    after: /^(|\(ids\.id\))$/,
    line: /zoneFor\(c, operation|ids\.id/,
    because: 'what is not given is not asked for: only the rules, the kernel and ids that are there'
  },
  {
    file: `${management}management.ts`,
    after: /^\((rules\.limits\.bodyBytes|operation\.bodyBytes.*)\)$/,
    because: 'the document says nothing of the size of bodies'
  }
]
