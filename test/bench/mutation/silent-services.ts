import type { Equivalence } from './equivalent.ts'

const services = 'src/platform/functions/services/'
/** A check is gone, or draws its line elsewhere; what passes it does so as before. */
const looser = ['drop-guard', 'number', 'boundary', 'stale', 'query', 'swap-constants']
const breaks = 'only breaks of ours decide otherwise: for an honest platform the condition is fixed'
const several = 'that a call can name several keys, and lists have pages, is not documented'
const soon = 'how soon what is due comes is not said: it does when what is under way has ended'
const tries = 'what becomes of messages that nobody could handle is not documented'
const regardless = 'it fails in the next line all the same, and in which words is not said'

/** Faults in the services that functions ask, where the document is silent, and why it is. */
export const silentServices: readonly Equivalence[] = [
  {
    file: `${services}service.ts`,
    operators: looser,
    because: 'pages of listings are nowhere documented'
  },
  {
    file: `${services}kv.ts`,
    before:
      /^(?!store\.run|value: (?!\{ keys, list_c\w+: f)|if )[\s\S]*(expir|metada|list_c|cursor)/,
    // What is bound to no value at all is an error.
    after: /^(?!\((fromTtl|\(expiration))/,
    line: /expiration|expires|metadata[:=)]|list_complete|cursor|most \+ 1|valueBytes\}/,
    except: ['negate', 'always', 'swap-arguments', 'first-only', 'stale'],
    because: 'get, put, list and delete are documented; expiry, metadata and pages are not'
  },
  {
    file: `${services}kv.ts`,
    before: /^(limit|(1|1_000|0|most \+ 1|<=)$)/,
    line: /expiration|expires|metadata[:=)]|list_complete|cursor|most \+ 1|valueBytes\}/,
    except: ['negate', 'always', 'swap-arguments', 'first-only', 'stale'],
    because: 'get, put, list and delete are documented; expiry, metadata and pages are not'
  },
  {
    file: `${services}kv.ts`,
    operators: ['drop-guard'],
    line: /valueBytes/,
    because: 'how large a value may be is not documented'
  },
  {
    file: `${services}objects.ts`,
    before:
      /^(?![\s\S]*(\n|key,)).*(version|uploaded|[mM]etadata|httpEtag|Prefixes|truncated|cursor)/,
    operators: ['drop-property', 'drop-guard', 'skip-write', 'stale'],
    because: 'ranges, prefixes in groups, pages and facts of objects are not documented'
  },
  {
    file: `${services}objects.ts`,
    before: /^(?!objects\.push)/,
    line: /RangeError|options\.range\)|group|delimiter|pageOf|let last|last = |httpEtag/,
    except: ['negate', 'always', 'drop-branch', 'swap-arguments', 'drop-property', 'number'],
    because: 'ranges, prefixes in groups, pages and facts of objects are not documented'
  },
  {
    file: `${services}objects.ts`,
    operators: ['drop-guard', 'drop-branch', 'skip-write'],
    line: /lost|abandon|etag\) throw|catch/,
    because: 'disks that fail, and what is replaced while it is read'
  },
  {
    file: `${services}queue.ts`,
    operators: ['number', 'skip-write', 'drop-property'],
    line: /delaySeconds|UPDATE message|attempts: /,
    before: /^\d|^store\.run|attempts|delaySeconds/,
    because: 'delays and further tries of messages are not documented'
  },
  {
    file: `${services}stateful.ts`,
    before: /^(?!FROM)/,
    except: ['negate', 'always', 'swap-arguments', 'first-only'],
    line: /start|limit|reverse|\border\b|listedBytes|bytesOfEach|later|isSafe|deleteAll|getAlarm/,
    because: 'ranges and sizes of listings, and alarms that fail, are not documented'
  },
  {
    file: `${services}cache-api.ts`,
    line: /usualMs|says =|expires|vary|206|TypeError/,
    except: ['negate', 'always'],
    because: 'for how long and for which answers a cache may be used is said by RFC 9111'
  },
  {
    file: `${services}cache-api.ts`,
    after: /^\(+request\.method === 'GET'\)+$/,
    because: 'an option of the cache that the document does not show'
  },
  ...['objects', 'queue', 'stateful'].map((name) => ({
    file: `${services}${name}.ts`,
    operators: ['query'],
    before: /^ORDER BY/,
    // Of alarms the next has to be known.
    line: /^(?!.*FROM object_alarm)/,
    because: 'in which order things are listed, come or go off that are due is not documented'
  })),
  {
    file: `${services}objects.ts`,
    operators: ['stale', 'first-only', 'skip-write'],
    line: /SELECT file FROM|rows\.map\(\(\{ file|files\.remove|uploaded = /,
    because: 'files that nobody can name any more, and facts of objects, are not documented'
  },
  ...['kv', 'queue'].map((name) => ({
    file: `${services}${name}.ts`,
    operators: ['stale'],
    before: /^time\.now\(\)$/,
    because: 'when values expire, and when a message says that it was sent, is not documented'
  })),
  {
    file: `${services}stateful.ts`,
    operators: ['query'],
    line: /WHERE object = \? AND at = \? AND attempts/,
    because: 'alarms that fail, or are set again while they go off, are not documented'
  },
  {
    file: `${services}services.ts`,
    operators: ['drop-branch'],
    line: /serviceBindings === 'refuse'/,
    because: `${breaks}, and who is not there fails in any case`
  },
  {
    file: `${services}services.ts`,
    operators: ['drop-guard'],
    line: /=== undefined/,
    because: regardless
  },
  {
    file: `${services}objects.ts`,
    operators: ['first-only'],
    line: /keys as string/,
    because: several
  },
  {
    file: `${services}objects.ts`,
    operators: ['boundary', 'drop-guard', 'always', 'number', 'drop-branch'],
    line: /delimitedPrefixes|group === undefined|delimiter \?/,
    after: /^(?!\(-1\)|0$|\(group !==)/,
    because: several
  },
  {
    file: `${services}objects.ts`,
    operators: ['drop-guard'],
    line: /body === undefined\) continue/,
    because: 'disks that fail, and what is replaced while it is read'
  },
  {
    file: `${services}stateful.ts`,
    operators: ['first-only'],
    line: /keys\.map|rows\.filter|of given\)/,
    because: several
  },
  {
    file: `${services}stateful.ts`,
    operators: ['query'],
    line: /SELECT at FROM object_alarm/,
    because: 'that an object can ask when its alarm is due is not documented'
  },
  {
    file: `${services}cache-api.ts`,
    operators: ['drop-guard'],
    line: /check\(request, response\)/,
    because: 'for which answers a cache may be used is said by RFC 9111'
  },
  {
    file: `${services}queue.ts`,
    operators: ['first-only'],
    line: /return queues$|^ {4}\)$|\.map\(\(consumer|filter\(\(\{ queue|messages: store/,
    because: soon
  },
  {
    file: `${services}queue.ts`,
    operators: ['always', 'boundary', 'drop-branch'],
    line: /isDone \|\| attempts/,
    after: /^(true|>|\(isDone\))$/,
    because: tries
  },
  {
    file: `${services}stateful.ts`,
    operators: ['first-only'],
    line: /!busy\.has|^ {4}\)$/,
    because: soon
  },
  {
    file: `${services}queue.ts`,
    operators: ['drop-filter'],
    before: /min\(due\)/,
    because: 'it is looked in vain for what is due in a queue whose batch is under way'
  },
  ...['services/queue', 'services/stateful', 'trigger'].map((name) => ({
    file: `src/platform/functions/${name}.ts`,
    operators: ['stale'],
    before: /\bnow\b/,
    because: 'what is due is read for a moment, and from one millisecond to the next is another'
  }))
]
