import type { Equivalence } from './equivalent.ts'

const edge = 'src/platform/edge/'

/** Faults in what serves requests at the edge where the document is silent, and why it is. */
export const silentEdge: readonly Equivalence[] = [
  { file: `${edge}control.ts`, because: 'our own control listener, whose calls no document has' },
  {
    file: `${edge}size.ts`,
    operators: ['boundary'],
    because: 'whether a KB or MB is decimal or binary is left open: a byte less is between both'
  },
  {
    file: `${edge}size.ts`,
    operators: ['swap-constants'],
    before: /^'P\w+', 'P\w+'$/,
    because: 'methods of which any is looked for, in whichever order'
  },
  {
    file: `${edge}edge.ts`,
    operators: ['boundary'],
    line: /declaredBytes > limitBytes/,
    because: 'whether a KB or MB is decimal or binary is left open: a byte less is between both'
  },
  {
    file: `${edge}edge.ts`,
    operators: ['stale'],
    line: /const added =/,
    because: 'the list that is made once, and added to later, is the same one'
  },
  {
    file: `${edge}echo.ts`,
    operators: ['one-plan-only', 'drop-guard', 'number'],
    line: /path !== /,
    because: 'what our own origin has beside the echo that scenarios ask for'
  },
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
  {
    file: `${edge}forward.ts`,
    line: /imeout|Late|TIMEOUT|orwarded|'upgrade'/,
    because: 'how long an origin is waited for, and what a proxy adds, is said by RFC 9110'
  },
  {
    file: `${edge}refusal.ts`,
    before: /^(?!.*page\(|413)/,
    except: ['drop-property'],
    line: /block|challenge|loop|origin|host:|414|431/,
    because: 'statuses and words that the document does not show; only 413 is'
  },
  {
    file: `${edge}refusal.ts`,
    before: /^,? ?(headers: )?\{? ?Connection/,
    because: 'whether a connection goes on after a refusal is nowhere said'
  },
  {
    file: `${edge}page.ts`,
    before: /type|body|<|\$/,
    because: 'how a page looks that refuses'
  },
  {
    file: `${edge}edge.ts`,
    operators: ['drop-guard', 'number', 'drop-property'],
    line: /const headBytes|part: 'loop'|OriginFailed\)|onMalformed/,
    because: 'how large a head may be that is refused, and origins that lead back or fail'
  },
  {
    file: `${edge}edge.ts`,
    operators: ['drop-guard'],
    line: /loopHeader\.toLowerCase/,
    because: 'origins that lead back to their zone'
  },
  {
    file: `${edge}edge.ts`,
    line: /departures|emitWarning|OriginFailed\) return/,
    except: ['negate', 'always'],
    because: 'clients that have gone, and origins that fail'
  },
  {
    file: `${edge}part.ts`,
    line: /data &&|emptied|rmSync|reset|recursive/,
    because: 'folders of --data, and what our control listener resets'
  },
  {
    file: `${edge}part.ts`,
    before: /^[^\n]*close[^\n]*$/,
    because: 'the end of a platform of ours'
  }
]
