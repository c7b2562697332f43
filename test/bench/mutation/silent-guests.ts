import type { Equivalence } from './equivalent.ts'

const functions = 'src/platform/functions/'
const isolate = `${functions}isolate/`
const guest = `${isolate}guest/`

const listed = 'what only our control listener lists and takes away'
const foreign = 'how routes and domains are set, and whose they may be, the document leaves open'
const unshown = 'the document shows fetch and the services, and no more of what functions have'
const rooms = 'nodes are evicted sometimes: which of them, and for whom, the document does not say'

/** Faults in what functions have beside all that the document speaks of. */
export const silentGuests: readonly Equivalence[] = [
  {
    file: `${functions}route.ts`,
    line: /WHERE zone = \? ORDER BY pattern|ORDER BY zone, pattern|const sql = 'DELETE|sql, zoneId/,
    because: listed
  },
  {
    file: `${functions}route.ts`,
    operators: ['query'],
    line: /ORDER BY host IS NULL/,
    because: 'which of several routes that match goes before the others is not documented'
  },
  {
    file: `${functions}route.ts`,
    except: ['negate'],
    line: /target\?\.account|throw refusal/,
    because: foreign
  },
  {
    file: `${functions}domain.ts`,
    except: ['negate'],
    after: /^(?!\(owner\.id)/,
    line: /zone\?\.account|owner|throw refusal/,
    because: foreign
  },
  { file: `${functions}domain.ts`, line: /ORDER BY host|\.map\(\(\{ host/, because: listed },
  { file: `${functions}account.ts`, line: /ORDER BY rowid/, because: listed },
  { file: `${functions}trigger.ts`, line: /ORDER BY cron|\.map\(\(\{ cron/, because: listed },
  {
    file: `${functions}function.ts`,
    line: /id: string; key: string; value: string/,
    because: listed
  },
  {
    file: `${functions}services/queue.ts`,
    operators: ['query'],
    line: /UPDATE message/,
    because: 'further tries of messages are not documented'
  },
  {
    file: `${functions}dispatch.ts`,
    line: /passesThrough/,
    // Of a function that has not asked for that, errors are answered with error pages.
    after: /^(?!!\(|\(body === null\)$)/,
    because: 'that a function may let its exceptions pass through to the origin is not documented'
  },
  {
    file: `${functions}dispatch.ts`,
    operators: ['number', 'swap-constants', 'first-only'],
    line: /status: 404/,
    because: 'what is answered at hosts of functions that are not there is not documented'
  },
  {
    file: `${functions}dispatch.ts`,
    operators: ['drop-filter'],
    line: /isOwn/,
    because: 'what a function may say of its connection is not documented'
  },
  {
    file: `${functions}fetch-target.ts`,
    line: /accountBySubdomain\(store, zone\.host\)/,
    because: 'whether the shared subdomain is one zone for those who fetch there is not said'
  },
  {
    file: `${isolate}rules.ts`,
    operators: ['swap-constants'],
    line: /objects: 'external'|service: 'external'|queue: 'internal'/,
    before: /^'\w+'$/,
    because: 'of which quota these are taken is left open, or not said'
  },
  {
    file: `${isolate}rules.ts`,
    operators: ['swap-constants'],
    before: /^'internal',\s+storage: 'none'$/,
    because: 'of which quota these are taken is left open, or not said'
  },
  {
    file: `${isolate}rules.ts`,
    operators: ['number', 'swap-constants'],
    line: /overruns:/,
    before: /^(?!3, of: 20)/,
    because: 'what is now and then, and what again and again, the document does not say'
  },
  {
    file: `${isolate}host/bounds.ts`,
    operators: ['one-plan-only', 'swap-constants'],
    line: /^(?!.*'put')/,
    because: 'sizes of keys, messages and heads: the document is silent on all of them'
  },
  {
    file: `${isolate}host/bounds.ts`,
    operators: ['number', 'boundary'],
    line: /status < 200/,
    after: /^(199|600|598|1198|>=)$/,
    because: 'which statuses a function may answer with at all is said by the fetch standard'
  },
  {
    file: `${guest}events.ts`,
    operators: ['number'],
    after: /^199$/,
    because: 'which answers are none is said by the fetch standard'
  },
  {
    file: `${guest}calls.ts`,
    operators: ['drop-guard', 'one-plan-only', 'negate', 'skip-write'],
    line: /signal|waiting\.delete\(call\)\) return streams\.fail/,
    because: 'that a fetch can be given up by a signal is said by the fetch standard'
  },
  {
    file: `${guest}streams.ts`,
    line: /failure/,
    operators: ['drop-guard', 'drop-branch', 'skip-write'],
    because: 'that a fetch can be given up by a signal is said by the fetch standard'
  },
  {
    file: `${guest}timers.ts`,
    line: /setInterval:|clearTimeout\(|'clear'|longestMs =|typeof callback|s\.delete\(timer\)$/,
    except: ['negate', 'always'],
    // A longest time of nothing leaves no time to wait.
    after: /^(?!1$)/,
    because: unshown
  },
  {
    file: `${isolate}host/invocation.ts`,
    line: /clearTimer\(|repeats/,
    before: /^(?!timers\.set)/,
    operators: ['skip-write', 'drop-branch', 'first-only'],
    because: unshown
  },
  {
    file: `${guest}guest.ts`,
    line: /queueMicro|clearInterval|setInterval,|scheduler:|TimeoutErr|abort\(reason|: timeout/,
    because: unshown
  },
  {
    file: `${guest}program.ts`,
    operators: ['first-only', 'drop-filter', 'drop-branch', 'negate'],
    line: /const known|known\.filter|Object\.keys\(module\)/,
    because: 'which modules are none since they export nothing is not documented'
  },
  {
    file: `${guest}program.ts`,
    operators: ['drop-property'],
    before: /^,?\s*(blockConcurrencyWhile|waitUntil|id: |toString)/,
    because: 'what stateful objects have beside fetch, alarms and storage is not documented'
  },
  {
    file: `${guest}context.ts`,
    line: /passesThrough|passThrough/,
    because: 'that a function may let its exceptions pass through to the origin is not documented'
  },
  {
    file: `${guest}realm.ts`,
    operators: ['first-only', 'skip-write', 'drop-filter', 'stale'],
    line: /^(?!.*\bapi\b)/,
    because: 'what of the runtime’s own a function could come by: no document speaks of it'
  },
  {
    file: `${guest}realm.ts`,
    operators: ['drop-property'],
    before: /^,? ?(dispatch|close|destroy|writable|configurable|value: undefined)\b/,
    because: 'what of the runtime’s own a function could come by: no document speaks of it'
  },
  {
    file: `${guest}evaluation.ts`,
    because: 'whether a function can make code of texts the document does not say'
  },
  {
    file: `${guest}wasm.ts`,
    line: /^(?!.*(prototype|\w+Property|\bassign|\[Own\w+, |'imports'|for \(const))/,
    because: 'no document speaks of WebAssembly'
  },
  {
    file: `${guest}crypto.ts`,
    line: /given|algorithm|\bone\.|weight|rounds|bits|jobs?\b|underWay|tellDone|makesKey|makers/,
    because: 'the document speaks neither of cryptography nor of what others do for a function'
  },
  {
    file: `${guest}crypto.ts`,
    line: /^ {2,}(let bytes|for \(let (kind|index)|const bytes|if \(bytes|return (bytes|0))/,
    because: 'the document speaks neither of cryptography nor of what others do for a function'
  },
  {
    file: `${guest}compression.ts`,
    line: /streamWeight|offload\(|new\.target|given|'DecompressionStream'/,
    because: 'no document speaks of compression in functions, or of what others do for them'
  },
  {
    file: `${guest}ballast.ts`,
    line: /ballast|\bown\b|from|bytes|sources|options|list\b|given\b|at\b|createObjectURL|'slice'/,
    except: ['drop-property', 'swap-arguments'],
    because: 'whether blobs are memory, which are in no heap and no buffer, is not said'
  },
  {
    file: `${isolate}host/offloads.ts`,
    line: /weight|isLasting|lasting|hasLeft|sum\b|seenUs|tidy|shares\.(values|delete|set|has)/,
    because: 'the document does not say that what others do for a function is its processor time'
  },
  {
    file: `${isolate}pool.ts`,
    operators: ['reverse-sort', 'first-only', 'drop-filter', 'number', 'boundary'],
    line: /one === owner|settled|resting|share|countOf|count\b|isLeaving|sort/i,
    because: rooms
  },
  {
    file: `${isolate}host/guest.ts`,
    operators: ['number'],
    line: /resourceLimits/,
    because: 'how much the runtime itself may use beyond the limits'
  },
  ...['deadlock', 'enforcement', 'gauge', 'host'].map((name) => ({
    file: `${isolate}host/${name}.ts`,
    operators: ['number'],
    line: /most(Still|Looks|Ends|Rests) =|cooldownMs =|collections === 2|> 2 \* limits/,
    because: 'how often it is looked, and by how much more than the limits'
  })),
  ...['flow', 'guest/streams'].map((name) => ({
    file: `${isolate}${name}.ts`,
    operators: ['number'],
    line: /(ahead|piece)Bytes =/,
    because: 'in which pieces bytes cross is nobody’s to see'
  })),
  {
    file: `${guest}api/body.ts`,
    operators: ['swap-arguments'],
    line: /value\.byteOffset/,
    because: 'in which shapes beside text values can be stored is not documented'
  },
  {
    file: `${guest}api/stateful.ts`,
    line: /deleted/,
    except: ['drop-property'],
    before: /^(?!ask|await)/,
    because: 'what deleting from an object’s storage returns is not documented'
  },
  {
    file: `${functions}services/stateful.ts`,
    line: /'DELETE FROM object_state WHERE object = \?', objectKey/,
    because: 'that all of an object’s storage can be deleted at once is not documented'
  },
  {
    file: `${functions}services/objects.ts`,
    line: /Number\.isSafeInteger\(given\)|\[offset, length, suffix\]/,
    except: ['negate', 'always'],
    because: 'ranges of objects are not documented'
  },
  // What is over is let go of on both sides of the wall; who is dropped gets nothing in any case.
  ...[
    { file: `${guest}calls.ts`, line: /waiting\.delete\(call\)$/ },
    { file: `${guest}streams.ts`, line: /inlets\.delete\(stream\)$|forgetIn\(\w|ends\.delete/ },
    { file: `${guest}guest.ts`, line: /isDropped = true$|^ {2}\w+\.forget\(scope\)$/ },
    { file: `${isolate}broker.ts`, line: /^\s+(else )?open\.delete\(call\)$/ }
  ].map((one) => ({
    ...one,
    operators: ['skip-write'],
    because: 'it is asked for no more, and what is kept of it goes with the instance'
  })),
  ...[
    { file: `${guest}calls.ts`, line: /waiting\.get\(call\)/ },
    { file: `${guest}streams.ts`, line: /(in|out)lets\.get\(stream\)/ },
    { file: `${guest}timers.ts`, line: /timers\.get\(timer\)!/ },
    { file: `${guest}crypto.ts`, line: /Object\.getPrototypeOf/ },
    { file: `${guest}modules.ts`, line: /sources\.get\(url\)/ },
    { file: `${isolate}guest-code.ts`, line: /readCode\(\)/ },
    { file: `${functions}account.ts`, line: /WHERE subdomain = \?/ }
  ].map((one) => ({
    ...one,
    operators: ['stale'],
    because: 'what is found under a number or a name that is given once never changes'
  })),
  {
    file: `${isolate}host/host.ts`,
    operators: ['swap-constants'],
    before: /^'offload'$/,
    because:
      'that other threads work for a function, as for a digest, the document does not speak of'
  },
  {
    file: `${isolate}host/host.ts`,
    operators: ['boundary'],
    line: /if \(weight < 0 \|\|/,
    because: 'whatever is begun weighs more than nothing, and what is done less'
  }
]
