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
  },
  ...[
    { line: /\[\.\.\.text\.matchAll|quoted \?\? bare/, operators: ['drop-branch', 'first-only'] },
    { line: /isOwn = |vary'\)\.includes/, operators: ['number'], after: /^1$/ },
    { line: /'s-maxage'\) \?\?/, operators: ['drop-branch'], after: /'max-age'/ },
    { line: /test\(seconds\)/, operators: ['number', 'drop-branch'], after: /^(?!\(0\))/ },
    { line: /name !== ''|\[name, valuesOf/ }
  ].map((place) => ({
    file: `${edge}cache-freshness.ts`,
    ...place,
    because: 'in which writings, and for how long, an answer may be kept is said by RFC 9111'
  })),
  ...[
    { line: /return entry\.until > now/ },
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
    { line: /\? '' : readable/, operators: ['drop-branch'], after: /^\(readable/ },
    { line: /const forMs/, operators: ['stale'] },
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
    operators: ['drop-guard', 'boundary', 'drop-branch', 'number', 'one-plan-only'],
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
  },
  {
    file: `${edge}echo.ts`,
    operators: ['drop-property'],
    before: /^(count|error):/,
    because: 'what our own origin tells beside what scenarios ask it for'
  },
  {
    file: `${edge}limits.ts`,
    operators: ['number'],
    line: /const (K|M|G)iB/,
    after: /^\d+(23|75)$/,
    because: 'whether a KB or MB is decimal or binary is left open: a byte less is between both'
  },
  {
    file: `${edge}limits.ts`,
    operators: ['number'],
    line: /(free|pro|business|enterprise): (512 \* M|5 \* G)iB/,
    after: /^511$/,
    because: 'whether MB are decimal or binary is left open: this is between both'
  },
  {
    file: `${edge}limits.ts`,
    line: /cacheBytes/,
    because: 'how much is cached altogether, what goes first when it is full: nowhere documented'
  },
  {
    file: `${edge}size.ts`,
    operators: ['swap-constants'],
    line: /return '(url|header|headers)'/,
    because: 'with which status a head is refused is not shown'
  },
  ...[
    { line: /readBytes > 0/, operators: ['number'], after: /^1$/ },
    { line: /const readBytes = /, operators: ['drop-branch'], after: /^\((readOf.*|owner)\)$/ },
    { line: /const readBytes = /, operators: ['number'] },
    { line: /reads\?\.\(arrived\) \?\? 0/, operators: ['number'], after: /-1/ }
  ].map((place) => ({
    file: `${edge}edge.ts`,
    ...place,
    because: 'of a body that is not there nothing is found, whether it is looked at or not'
  })),
  ...[
    { line: /loopHeader\.toLowerCase/, operators: ['number'], after: /^1$/ },
    { line: /departures\.includes|writableFinished|error\.status === 504/ },
    { line: /OriginFailed\) return|page\(500/ },
    { line: /if \(response\.headersSent\)/, operators: ['drop-guard'] },
    { operators: ['drop-property'], before: /^(close,|, gone)$/, line: /ask\(zone|close,/ },
    { operators: ['drop-property'], before: /^,? ?(method|plan),?\s*$/, line: /refuse\(response/ }
  ].map((place) => ({
    file: `${edge}edge.ts`,
    ...place,
    because: 'clients that have gone, origins that lead back or fail, and words of refusals'
  })),
  ...[
    { operators: ['swap-constants', 'first-only'], line: /'proxy-connection', 'te'/ },
    { line: /\.split\(','\)|name\.trim\(\)|!own\.has/, except: ['negate'] },
    { line: /loopHeader, |allowH2|super\(|close: \(\)|, signal$/ },
    { line: /failureOf\(error\)$/, operators: ['drop-branch'], after: /errored\)$/ },
    { line: /uri\.startsWith\('\/'\)/, operators: ['drop-branch'], after: /uri\)$/ },
    { line: /Content-Length', String/, operators: ['drop-branch'], after: /^\(\[\]\)$/ },
    { line: /declaredBytes === 0 \?/, operators: ['number'], after: /-1/ },
    { operators: ['drop-property'], before: /^(objectMode: false|, signal|allowH2: false, ?)$/ }
  ].map((place) => ({
    file: `${edge}forward.ts`,
    ...place,
    because: 'how an edge speaks to an origin, and what is about one connection: RFC 9110'
  })),
  ...[
    { line: /known\.host \?\? ''/, operators: ['drop-branch'], after: /host\)$/ },
    { line: /path === '' \?/, operators: ['drop-branch'], after: /^\(uri\)$/ },
    { line: /path \|\| '\/'/, operators: ['drop-branch'], after: /^\(path\)$/ },
    { line: /socket\./, operators: ['drop-branch'], after: /^\(socket/ },
    { line: /socket\.\w+Port/, operators: ['number', 'drop-property'] },
    { line: /randomBytes/, operators: ['number'] }
  ].map((place) => ({
    file: `${edge}request.ts`,
    ...place,
    because: 'an HTTP request has a host, a path and a connection with ends; ids are our own'
  })),
  {
    file: `${edge}part.ts`,
    operators: ['drop-property'],
    before: /^(control:|folders:|words:|, breaks|mostBytes:)/,
    because: 'our control listener, folders of --data, and what is told at the start'
  }
]
