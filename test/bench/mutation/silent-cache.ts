import type { Equivalence } from './equivalent.ts'

const edge = 'src/platform/edge/'

/** Faults in what the edge keeps of answers where the document is silent, and why it is. */
export const silentCache: readonly Equivalence[] = [
  {
    file: `${edge}cache-freshness.ts`,
    except: ['negate', 'always', 'number', 'boundary'],
    line: /no-store|set-cookie|vary|trim/,
    because: 'which answers a shared cache may not keep is said by RFC 9111'
  },
  {
    file: `${edge}cache-freshness.ts`,
    line: /expires/,
    because: 'for how long a shared cache may keep what says so by a moment is said by RFC 9111'
  },
  {
    file: `${edge}cache.ts`,
    before: /^(2(03|04)|30\d|404|410)$/,
    because: 'which answers beside a file itself a cache may keep is said by RFC 9111'
  },
  {
    file: `${edge}cache.ts`,
    operators: ['drop-guard', 'first-only', 'drop-branch'],
    line: /authorization|const kept/,
    because: 'which answers beside a file itself a cache may keep is said by RFC 9111'
  },
  {
    file: `${edge}cache.ts`,
    before: /^(cacheHeader|hit\.ageSeconds|'Age'|'(HIT|MISS|BYPASS)')$/,
    except: ['drop-property'],
    because: 'what the cache did is told in a header of ours'
  },
  {
    file: `${edge}cache-store.ts`,
    before:
      /^(?![\s\S]*\n)[\s\S]*(ageSeconds|^bytes: length|files\.remove\(before|1_000|^variant,)/,
    because: 'ages, variants by headers, and room on the disk of what was replaced'
  },
  {
    file: `${edge}cache-store.ts`,
    after: /^\(+entry === undefined\)+$/,
    because: 'variants by headers are said by RFC 9111'
  },
  {
    file: `${edge}cache-store.ts`,
    operators: ['stale', 'number', 'boundary', 'first-only', 'drop-filter'],
    line: /mostBytes|of \[\.\.\.entries|before = |before\?\.bytes|variant\.every/,
    because: 'what goes first when a cache is full, and variants by headers: nowhere documented'
  },
  ...[
    // Who reads no number where one is written keeps nothing at all.
    { line: /quoted \?\? bare/, operators: ['drop-branch'], after: /^\((quoted \?\? )?bare\)$/ },
    { line: /isOwn = |vary'\)\.includes/, operators: ['number'], after: /^1$/ },
    { line: /'s-maxage'\) \?\?/, operators: ['drop-branch'], after: /'max-age'/ },
    { line: /'s-maxage'\) \?\?/, operators: ['stale'], before: /'s-maxage'/ },
    { line: /test\(seconds\)/, operators: ['number', 'drop-branch'], after: /^(?!\(0\))/ },
    { line: /name !== ''|\[name, valuesOf|return names$/ },
    { line: /'\)\.includes\(.*return 0$/, operators: ['number'], after: /^\(-1\)$/ }
  ].map((place) => ({
    file: `${edge}cache-freshness.ts`,
    ...place,
    because: 'in which writings, and for how long, an answer may be kept is said by RFC 9111'
  })),
  ...[
    { line: /return entry\.until > now/ },
    { line: /ageSeconds = |entryOf\(keeping/, operators: ['stale'] },
    { line: /entryOf\(keeping/, before: /^, at: now\(\)$/ },
    { operators: ['drop-property'], before: /^(at,|keys: )|^, async purge/ },
    { line: /keys\(\)\.filter|of those\)/ }
  ].map((place) => ({
    file: `${edge}cache-store.ts`,
    ...place,
    because: 'what our own control listener has forgotten, and how old an answer is said to be'
  })),
  ...[
    { operators: ['skip-write'], line: /(delete\(key|remove\(entry\.file|forget\(oldest)/ },
    { operators: ['number'], line: /let bytes = 0/ },
    // All readings of a limit agree on neither side of it: it is the larger of them itself.
    { operators: ['boundary'], line: /size <= limitBytes/ },
    { operators: ['drop-branch'], line: /before\?\.bytes \?\? 0/, after: /^\(0\)$/ }
  ].map((place) => ({
    file: `${edge}cache-store.ts`,
    ...place,
    because: 'what goes first when a cache is full, and room on a disk: nowhere documented'
  })),
  {
    file: `${edge}cache-store.ts`,
    line: /entry\.until <= now|until: at \+/,
    before: /^(?!(status|headers|bytes: size),|, file$)/,
    except: ['negate'],
    because: 'for how long a shared cache may keep an answer is said by RFC 9111'
  },
  {
    file: `${edge}cache-store.ts`,
    line: /variant\.every/,
    because: 'variants by headers are said by RFC 9111'
  },
  ...[
    { line: /!== 'HEAD'\) return/, operators: ['drop-branch'], after: /'GET'\)$/ },
    { line: /authorization/, operators: ['number', 'one-plan-only'], after: /^1$|'pro'$/ },
    { line: /const forMs/, operators: ['stale'] },
    { line: /'HEAD'\) body\.destroy/, operators: ['one-plan-only'] },
    { line: /declaredBytes\] =/, operators: ['first-only'] },
    { line: /const kept/, operators: ['swap-constants'] }
  ].map((place) => ({
    file: `${edge}cache.ts`,
    ...place,
    because: 'that a HEAD is answered from a cache, and what else it may keep, is said by RFC 9111'
  })),
  ...[
    { line: /const isKept/, operators: ['boundary', 'number'] },
    { line: /const isKept/, operators: ['drop-branch'], after: /includes\(served\.status\)\)$/ }
  ].map((place) => ({
    file: `${edge}cache.ts`,
    ...place,
    before: /^(>|0|method === 'GET' && kept\.includes\(served\.status\) && forMs > 0)$/,
    because: 'what is kept for no time is as good as not kept'
  })),
  {
    file: `${edge}cache.ts`,
    // Not to heed what may not be kept at all is to keep a head in place of its file.
    operators: ['boundary', 'drop-branch', 'number'],
    line: /\(declaredBytes \?\? 0\) > limitBytes/,
    after: /^(?!\(\(declaredBytes)/,
    because: 'what is announced as too large is counted all the same, and given up where it is'
  },
  {
    file: `${edge}cache.ts`,
    operators: ['drop-branch', 'drop-property'],
    line: /typeof served\.body|bytes instanceof Readable/,
    after: /^(\(served\.body\)|\(Readable|)$|^\(Readable/,
    because: 'pages of ours are never kept, and bytes are read alike in either way'
  }
]
