import type { Equivalence } from './equivalent.ts'

const functions = 'src/platform/functions/'

/** A number is one more or one less, and not twice as much. */
const byOne = (before: RegExp) => ({ operators: ['number'], before, after: /^\d*[1-9]\d*$/ })

/** A check is gone, or draws its line elsewhere; what passes it does so as before. */
const looser = ['drop-guard', 'number', 'boundary', 'stale', 'query', 'swap-constants']

/** Faults in what is around functions where the document is silent, and why it is. */
export const silentFunctions: readonly Equivalence[] = [
  {
    file: `${functions}control.ts`,
    because: 'our own control listener, whose calls no document has'
  },
  {
    file: `${functions}refusal.ts`,
    because: 'codes of refused deployments: not mentioned, and observed only'
  },
  {
    file: `${functions}deployment.ts`,
    // What is read of it is what runs.
    line: /^(?!.*(entries\(modules|^ {6}path|source\b))/,
    because: 'no operation to deploy a function is documented: how one is written down is ours'
  },
  {
    file: `${functions}deployment.ts`,
    operators: ['drop-branch'],
    after: /^\(source\)$/,
    because: 'that modules may be written in base64 is ours'
  },
  {
    file: `${functions}deploy.ts`,
    operators: looser,
    line: /twice|invalid\(|checkCpu|cpuMs|queue|consumer|mostRemembered/,
    because: 'which deployments are refused beside those too large is ours'
  },
  {
    file: `${functions}deploy.ts`,
    line: /mostRemembered|const draft/,
    because: 'how many modules are known to start, and what a draft is called'
  },
  {
    file: `${functions}cron.ts`,
    operators: ['drop-guard', 'drop-branch'],
    line: /throw|stride|every|malf|named/,
    after: /^(?!\((named|Number\.NaN|every !== undefined)\))/,
    because: 'the document has triggers, and shows no schedule: ranges, lists and names are ours'
  },
  {
    file: `${functions}cron.ts`,
    operators: ['drop-branch'],
    line: /isEither \?/,
    before: /^is(Day \|\||Either)/,
    after: /^\(isDay( && isWeekday)?\)|^\(isWeekday\)/,
    because: 'the document has triggers, and shows no schedule: ranges, lists and names are ours'
  },
  {
    file: `${functions}cron.ts`,
    line: /JAN|SUN|farthestDays|slice\(0/,
    except: ['negate', 'always', 'drop-property', 'swap-arguments'],
    because: 'the document has triggers, and shows no schedule: ranges, lists and names are ours'
  },
  {
    file: `${functions}pattern.ts`,
    line: /hostStar|[Ss]uffix|malformed|refusal|because/,
    except: ['negate', 'always', 'drop-property'],
    because: 'how the pattern of a route is written the document does not show'
  },
  {
    file: `${functions}trigger.ts`,
    before: /^(?!\.\.\.trigger|, next)/,
    line: /lastUntil|\blast\b|\bspan\b/,
    except: ['negate', 'always', 'swap-arguments'],
    because: 'a clock that jumps over several moments is one that our control listener moved'
  },
  {
    file: `${functions}scheduler.ts`,
    before: /^(?!kind: 'alarm'|object,|===)/,
    after: /^(?!\(tried)/,
    line: /firstRetryMs|longestMs =|emitWarning|const again|isClosed = |tried/,
    because: 'the document says nothing of events that fail and are tried again'
  },
  {
    file: `${functions}function.ts`,
    line: /ORDER BY|accountId === undefined|variable|rows\.map|json_each|key, value/,
    because: 'what our control listener lists'
  },
  {
    file: `${functions}error-page.ts`,
    line: /isBrowser|retry|waitMs|Cache-Control|Content-Type/,
    except: ['swap-arguments'],
    because: 'of error pages the document has the code; how they look is ours'
  },
  {
    file: `${functions}journal.ts`,
    line: /^\s+[A-Z]\w+: |exceptionOf|kept\.length/,
    because: 'the list of fields available per dataset of log push: not shown'
  },
  {
    file: `${functions}scheduler.ts`,
    line: /const queue = batch\.queue\.slice/,
    because: 'what an event tells beside its messages, such as its queue, is not documented'
  },
  {
    file: `${functions}journal.ts`,
    line: /typeof zoneId !== 'string'|logs\.record\('workers_trace_events'/,
    because: 'that what functions did is a dataset of log push at all the document does not show'
  },
  {
    file: `${functions}rules.ts`,
    line: /1101:|1102:|1027: \{|(ok|exception|exceeded[CD]\w+|canceled|internal): '|Timeout:/,
    except: ['drop-property'],
    because: 'statuses of pages and of invocations that the document does not name'
  },
  {
    file: `${functions}limits.ts`,
    line: /valueBytes|attempts:|depth:|batchMessages|keptInvocations/,
    except: ['drop-property'],
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
  {
    file: `${functions}call-depth.ts`,
    operators: ['number', 'skip-write', 'stale', 'drop-branch'],
    after: /^(?!\(places\.get)/,
    because: 'how many functions can be asked by one another in a row the document does not say'
  },
  {
    file: `${functions}exactly.ts`,
    operators: ['drop-guard'],
    because: 'bodies of a length other than they say: the document is silent'
  },
  ...['fetch-target', 'services/services'].map((name) => ({
    file: `${functions}${name}.ts`,
    operators: ['number', 'boundary', 'stale', 'drop-guard'],
    line: /depth|tooDeep/i,
    because: 'how many functions can be asked by one another in a row the document does not say'
  })),
  ...['services/services', 'dispatch'].map((name) => ({
    file: `${functions}${name}.ts`,
    operators: ['drop-property'],
    before: /^,? ?depth\b/,
    because: 'how many functions can be asked by one another in a row the document does not say'
  })),
  {
    file: `${functions}zone-origin.ts`,
    line: /OriginFailed|send\(|page\(|headersSent|headBytes/,
    except: ['negate', 'always'],
    because: 'what is said of an origin that fails'
  },
  {
    file: `${functions}admission.ts`,
    operators: ['query'],
    before: /^(account|scope) = \?$/,
    because: 'requests are counted by account, by whose id either condition finds the same row'
  },
  {
    file: `${functions}function.ts`,
    line: /DELETE FROM function WHERE id/,
    because: 'that a function can be taken away again no operation says'
  },
  ...['functions', 'tables'].map((name) => ({
    file: `${functions}${name}.ts`,
    operators: ['first-only', 'skip-write'],
    line: /stored\.remove\(file\)|functionData/,
    because: 'what our control listener empties when it resets a platform'
  })),
  {
    file: `${functions}deploy.ts`,
    operators: ['skip-write', 'drop-guard'],
    line: /started\.(add|has)\(digest\)/,
    because: 'whether modules that have started once are started again is only about speed'
  },
  {
    file: `${functions}deploy.ts`,
    operators: ['first-only'],
    line: /queue of consumes/,
    because: 'which deployments are refused beside those too large is ours'
  },
  {
    file: `${functions}dispatch.ts`,
    operators: ['drop-guard', 'one-plan-only'],
    line: /found === 'nothing'/,
    because: 'what is answered at hosts of functions that are not there is not documented'
  },
  {
    file: `${functions}dispatch.ts`,
    operators: ['always'],
    line: /code === 1015/,
    because: 'an event is documented for error 1015, and whether 1027 has one is not'
  },
  {
    file: `${functions}dispatch.ts`,
    operators: ['stale'],
    line: /at: timestamp\(/,
    because: 'of a security event the document has the rule, and no moment'
  },
  {
    file: `${functions}trigger.ts`,
    operators: ['query'],
    before: /^function = \?$/,
    line: /UPDATE function_trigger/,
    because: 'one schedule is due next at the same moment, whichever function it starts'
  },
  {
    file: `${functions}trigger.ts`,
    operators: ['skip-write'],
    line: /DELETE FROM function_trigger/,
    because: 'what becomes of a schedule that a function has already been given is not documented'
  },
  {
    file: `${functions}scheduler.ts`,
    operators: ['skip-write', 'stale'],
    line: /clearTimeout\(timer\)|async function fire/,
    because: 'it is looked once more for what is due; and when an event says that it was due'
  },
  {
    file: `${functions}specification.ts`,
    operators: ['stale'],
    before: /^known\.get/,
    because: 'how many specifications are kept ready is only about speed'
  },
  {
    file: `${functions}dispatch.ts`,
    operators: ['drop-property'],
    before: /^(?!ruleId|at:)/,
    line: /facts: \{ ray|source: 'rate|action: 'block|path, ray \}|^ {4}address: from/,
    because: 'of a security event the document has the rule, and of a request what it is made of'
  },
  ...['dispatch', 'admission'].map((name) => ({
    file: `${functions}${name}.ts`,
    operators: ['drop-property'],
    before: /^, waitMs/,
    because: 'of error pages the document has the code; when to come again is ours to say'
  })),
  {
    file: `${functions}begun.ts`,
    operators: ['drop-property'],
    before: /^, passesThrough/,
    because: 'that a function may let its exceptions pass through to the origin is not documented'
  },
  {
    file: `${functions}part.ts`,
    operators: ['drop-property', 'first-only', 'number'],
    before: /^,? ?(filed|jsonColumns|ownTables|reset|close|breaks|\['facts|10$|\/\*)/,
    because: 'what is kept with --data, emptied by our control listener, or broken on purpose'
  }
]
