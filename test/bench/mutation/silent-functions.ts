import type { Equivalence } from './equivalent.ts'

const functions = 'src/platform/functions/'
const services = `${functions}services/`
const isolate = `${functions}isolate/`
const guest = `${isolate}guest/`

/** A number is one more or one less, and not twice as much. */
const byOne = (before: RegExp) => ({ operators: ['number'], before, after: /^\d*[1-9]\d*$/ })

/** Times and sizes are others, or are met to the millisecond and to the byte. */
const byDegrees = {
  operators: ['number', 'boundary'],
  before: /^(\d[\d_.]+|[<>]=?)$/,
  line: /Ms|Us|Bytes|hare|imeout/
}

/** Faults in what the edge and its functions do where the document is silent, and why it is. */
export const silentFunctions: readonly Equivalence[] = [
  ...[`${functions}control.ts`, 'src/platform/edge/control.ts'].map((file) => ({
    file,
    because: 'our own control listener, whose calls no document has'
  })),
  {
    file: `${functions}refusal.ts`,
    because: 'codes of refused deployments: not mentioned, and observed only'
  },
  {
    file: `${functions}deployment.ts`,
    because: 'no operation to deploy a function is documented: how one is written down is ours'
  },
  {
    file: `${functions}deploy.ts`,
    line: /twice|invalid\(|checkCpu|cpuMs|queue|consumer|mostRemembered|draft/,
    because: 'which deployments are refused beside those too large, and in which words, is ours'
  },
  {
    file: `${functions}cron.ts`,
    line: /names?\b|month|week|isEither|stride|every|high|open|far|malf|JAN|SUN|\|\|/i,
    because: 'the document has triggers, and shows no schedule: ranges, lists and names are ours'
  },
  {
    file: `${functions}pattern.ts`,
    line: /hostStar|[Ss]uffix|malformed|refusal|because/,
    because: 'how the pattern of a route is written the document does not show'
  },
  {
    file: `${functions}trigger.ts`,
    line: /lastUntil|\blast\b|\bspan\b/,
    because: 'a clock that jumps over several moments is one that our control listener moved'
  },
  {
    file: `${functions}scheduler.ts`,
    line: /firstRetryMs|longestMs|emitWarning|const again|isClosed = |tried/,
    because: 'the document says nothing of events that fail and are tried again'
  },
  {
    file: `${functions}function.ts`,
    line: /ORDER BY|accountId === undefined|variable|rows\.map|json_each|key, value/,
    because: 'what our control listener lists'
  },
  {
    file: `${functions}error-page.ts`,
    line: /isBrowser|retry|waitMs|title|Cache-Control|Content-Type/,
    because: 'of error pages the document has the code; how they look is ours'
  },
  {
    file: `${functions}journal.ts`,
    line: /^\s+[A-Z]\w+: |exceptionOf|kept\.length/,
    because: 'the list of fields available per dataset of log push: not shown'
  },
  {
    file: `${functions}rules.ts`,
    line: /1101:|1102:|1027: \{|(ok|exception|exceeded[CD]\w+|canceled|internal): '|Timeout:/,
    because: 'statuses of pages and of invocations that the document does not name'
  },
  {
    file: `${functions}limits.ts`,
    line: /valueBytes|attempts:|depth:|batchMessages|keptInvocations/,
    because: 'the document is silent on these numbers'
  },
  {
    file: `${functions}limits.ts`,
    ...byOne(/^(1_048_576|60_000|30_000|2_000)$/),
    because:
      'a byte of a megabyte or a millisecond of half a minute, of limits that are statistical'
  },
  {
    file: `${functions}window.ts`,
    line: /manyKeys|isOver|other, those/,
    because: 'when what is remembered of rates is tidied up changes no answer'
  },
  {
    file: `${functions}specification.ts`,
    line: /mostKept|known\.(size|delete|set)/,
    because: 'how many specifications are kept ready is only about speed'
  },
  ...['call-depth', 'exactly'].map((name) => ({
    file: `${functions}${name}.ts`,
    because: 'how deep functions may call, and bodies of a wrong length: the document is silent'
  })),
  ...['fetch-target', 'services/services', 'dispatch'].map((name) => ({
    file: `${functions}${name}.ts`,
    line: /depth|tooDeep/i,
    because: 'how many functions can be asked by one another in a row the document does not say'
  })),
  {
    file: `${functions}zone-origin.ts`,
    line: /OriginFailed|send\(|page\(|headersSent|headBytes/,
    because: 'what is said of an origin that fails'
  },
  {
    file: `${services}service.ts`,
    because: 'pages of listings are nowhere documented'
  },
  {
    file: `${services}kv.ts`,
    line: /^(?!.*store\.).*(expiration|expires !|metadata[:=) ]|cursor|limit|most|valueB)/,
    because: 'get, put, list and delete are documented; expiry, metadata and pages are not'
  },
  {
    file: `${services}objects.ts`,
    line: /range|Range|offset|suffix|delimi|group|cursor|most|etag|digest|Metadata|version|upl/,
    because: 'ranges, prefixes in groups, pages and facts of objects are not documented'
  },
  {
    file: `${services}objects.ts`,
    line: /function orGone|lost|abandon|intact|catch/,
    because: 'disks that fail, and what is replaced while it is read'
  },
  {
    file: `${services}queue.ts`,
    line: /delaySeconds|UPDATE message|attempts: /,
    because: 'delays and further tries of messages are not documented'
  },
  {
    file: `${services}stateful.ts`,
    line: /start|\bend\b|limit|reverse|\border\b|most|ytes|later|isSafe|deleteAll|getAlarm/,
    because: 'ranges and sizes of listings, and alarms that fail, are not documented'
  },
  {
    file: `${services}cache-api.ts`,
    line: /ignoreMethod|usualMs|says|expires|vary|206|TypeError/,
    because: 'for how long and for which answers a cache may be used is said by RFC 9111'
  },
  {
    file: `${isolate}host/bounds.ts`,
    because: 'sizes of keys, messages and heads: the document is silent on all of them'
  },
  {
    file: `${isolate}host/redirect.ts`,
    line: /becomesGet|dropped|isOtherOrigin|hasBody|longestChain|30\d,|redirects\b/,
    because: 'each redirect counts; what is asked behind one is said by the fetch standard'
  },
  {
    file: `${isolate}network.ts`,
    line: /decod|ncoding|gzip|tlsC|secure|isHttps|isStale|hopBy|lengthIn|said|networkE|headB/,
    because: 'codings, TLS and broken connections of what functions ask are not documented'
  },
  {
    file: `${guest}api/fetch.ts`,
    line: /bodyUsed|locked|=== 'error'|TypeError|bodiless|GET', 'HEAD/,
    because: 'which requests a fetch refuses is said by the fetch standard'
  },
  {
    file: `${guest}api/sockets.ts`,
    line: /secure|close|abort|locked/,
    because: 'opening a socket counts; TLS and the end of one are not documented'
  },
  {
    file: `${guest}api/body.ts`,
    line: /rrayBuffer|isView|json|stream|TypeError|typeof shape/,
    because: 'in which shapes values can be stored and read is not documented'
  },
  {
    file: `${guest}events.ts`,
    line: /fate|acknowledged|retr|ackAll|say\(|verdict|timestamp|noRetry|attempts|TypeError/,
    because: 'retries and what an event tells beside its messages are not documented'
  },
  ...['own', 'replace'].map((name) => ({
    file: `${guest}${name}.ts`,
    because: 'keeps a function from changing what it is run by: no function of a user tries to'
  })),
  ...['backstop', 'watch', 'pool', 'process-usage', 'retirement', 'instance', 'process'].map(
    (name) => ({
      file: `${isolate}${name}.ts`,
      ...byDegrees,
      because: 'how often and how long it is looked, and by how much more than the limits'
    })
  ),
  ...['deadlock', 'gauge', 'host', 'inspector', 'offloads', 'thread-clock', 'watchdog'].map(
    (name) => ({
      file: `${isolate}host/${name}.ts`,
      ...byDegrees,
      because: 'how often it is looked, and how long a thread is waited for, before it is ended'
    })
  ),
  {
    file: `${isolate}answer.ts`,
    line: /: '/,
    because: 'words in which an invocation is said to have ended'
  },
  {
    file: 'src/platform/edge/cache-freshness.ts',
    line: /no-store|set-cookie|vary|expires|quoted|trim|s-maxage/,
    because: 'which answers a shared cache may keep, and for how long, is said by RFC 9111'
  },
  {
    file: 'src/platform/edge/cache.ts',
    line: /authorization|cacheHeader|30\d|'Age'|HEAD|function marked/,
    because: 'of cached files the document has the size; the rest is RFC 9111, and a header of ours'
  },
  {
    file: 'src/platform/edge/cache-store.ts',
    line: /mostBytes|oldest|before|variant|ageSeconds|isFor/,
    because: 'what goes first when a cache is full, variants by headers, and disks that fail'
  },
  {
    file: 'src/platform/edge/forward.ts',
    line: /\bown\b|Own|Late|TIMEOUT|imeout|proxy|orwarded|50[24]|upgrade/,
    because: 'what a proxy does with headers and with an origin that fails is said by RFC 9110'
  },
  {
    file: 'src/platform/edge/refusal.ts',
    line: /block|challenge|loop|origin|host:|414|431|Connection/,
    because: 'statuses and words that the document does not show; only 413 is'
  },
  {
    file: 'src/platform/edge/page.ts',
    because: 'how a page looks that refuses'
  },
  {
    file: 'src/platform/edge/edge.ts',
    line: /loopHeader|'loop'|departures|headBytes|emitWarning|OriginFailed\)|onMalformed/,
    because: 'origins that lead back or fail, and requests that are no HTTP'
  },
  {
    file: 'src/platform/edge/part.ts',
    line: /data|empt|rmSync|reset|close/,
    because: 'folders of --data, and what our control listener resets'
  }
]
