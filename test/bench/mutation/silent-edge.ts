import type { Equivalence } from './equivalent.ts'

const edge = 'src/platform/edge/'

/** Faults in what serves requests at the edge where the document is silent, and why it is. */
export const silentEdge: readonly Equivalence[] = [
  { file: `${edge}control.ts`, because: 'our own control listener, whose calls no document has' },
  {
    file: `${edge}metered.ts`,
    operators: ['boundary'],
    because: 'whether a KB or MB is decimal or binary is left open: a byte less is between both'
  },
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
    line: /(free|pro|business|enterprise): (512 \* M|5 \* G)iB|bodyBytes/,
    after: /^(511|99|199|499)$/,
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
    { line: /departures\.includes|error\.status === 504/ },
    // That a client is gone ends what it has begun: who never hears of it goes on.
    { line: /writableFinished/, operators: ['always'] },
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
    { line: /\.split\(','\)|name\.trim\(\)/, except: ['negate'] },
    { line: /!own\.has/, operators: ['drop-filter'] },
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
  },
  {
    file: `${edge}facts.ts`,
    operators: ['drop-property'],
    before: /^,? ?enumerable: true/,
    because: 'nobody asks which facts there are'
  },
  {
    file: `${edge}origin.ts`,
    operators: ['drop-guard', 'drop-branch', 'stale'],
    line: /startsWith\('data:'\)|headers\.get\('content-type'\)/,
    because: 'pages by which our adapter has a zone answer: who needs one gets none'
  },
  {
    file: `${edge}request.ts`,
    operators: ['drop-branch'],
    line: /content-length'\] \?\? 0/,
    after: /^\(known\['content-length'\]\)$/,
    because: 'a body that is not there has no bytes, whether or not that is said'
  },
  ...[
    { line: /if \(readBytes > 0\)/, operators: ['always', 'boundary'] },
    { line: /if \(readBytes > 0\)/, operators: ['number'], after: /-1/ },
    { line: /readBytes > 0 \?/, operators: ['drop-branch'], after: /^\(stoppedBy/ },
    { line: /stage\.reads\?\./, operators: ['number'] },
    { line: /declaredBytes = 0/, operators: ['number'] }
  ].map((place) => ({
    file: `${edge}edge.ts`,
    ...place,
    because: 'what has passed once, by its head, passes again with what there is of its body'
  })),
  ...[
    { operators: ['drop-guard'], line: /if \(!zone\)/ },
    { operators: ['drop-property'], before: /^part: 'host', $/ },
    { operators: ['drop-property'], before: /^,?\s*(onMalformed|close$|close,)/ },
    { operators: ['drop-guard', 'drop-branch'], line: /part === undefined \|\|/ },
    { operators: ['negate'], before: /^response\.headersSent$/ }
  ].map((place) => ({
    file: `${edge}edge.ts`,
    ...place,
    because:
      'hosts of no zone, what is no request, and defects that are met in mid-answer: left open'
  })),
  ...[
    { operators: ['skip-write'], line: /this\.status = status/ },
    { operators: ['drop-property'], before: /^,\s*(signal$|close: )/ }
  ].map((place) => ({
    file: `${edge}forward.ts`,
    ...place,
    because: 'with which status an origin fails, who has gone meanwhile, and the end of a platform'
  })),
  {
    file: `${edge}origin.ts`,
    line: /whole\(200, \{ type, body: await/,
    because: 'pages by which our adapter has a zone answer: who needs one gets none'
  },
  {
    file: `${edge}part.ts`,
    operators: ['number'],
    line: /offset: 2/,
    because: 'at which port the traffic of a zone arrives is left open'
  },
  {
    file: `${edge}size.ts`,
    operators: ['drop-branch'],
    line: /limitedMethods\.includes/,
    after: /^\(limits/,
    because: 'the table has the body of a request, whatever its method: GET may be limited as well'
  },
  {
    file: `${edge}facts.ts`,
    operators: ['number'],
    line: /timestamp\.msec/,
    after: /^(999|1001)$/,
    because: 'which millisecond of a second it is by the clock of an edge nobody knows'
  },
  {
    file: `${edge}prefix.ts`,
    operators: ['boundary', 'drop-branch'],
    line: /bytes < least && !isOver/,
    after: /^(<=|\(!isOver\))$/,
    because: 'how much of a body is held back until it has been looked into is nobody’s to see'
  }
]
