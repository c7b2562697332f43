import type { Equivalence } from './equivalent.ts'

/** What the document of page protection says nothing of, place by place. */
const own = 'src/platform/page-protection/'

const limits =
  'how much is taken of policies, reports and contents is not said: the limits are the platform’s'
const placed =
  'what the control listener takes, and what it fills in: what an adapter leaves out is the ' +
  'target’s choice'
const scoring = 'how a content is scored is not said, only that lower is worse, and a threshold'
const order = 'in which order a list has its items, and a page its headers, is not said'
const values =
  'what becomes of a value that is no directive string, or of another specification than CSP, is ' +
  'not said, nor in which words it is refused'

/** Faults in page protection where the document is silent, and why it is. */
export const silentPages: readonly Equivalence[] = [
  { file: `${own}limits.ts`, operators: ['number', 'swap-constants'], because: limits },
  { file: `${own}control.ts`, because: placed },
  {
    file: `${own}monitor/threat.ts`,
    because: 'what is known to be malicious is told by the control listener of ours alone'
  },
  {
    file: `${own}monitor/violation.ts`,
    because: 'that a violation is triggered is said, and not where it could be counted or read'
  },
  {
    file: `${own}monitor/monitor.ts`,
    line: /readPolicy\(|countViolation|violationFields|logs\.record|page_shield_events/,
    because: 'that a violation is triggered is said, and not where it could be counted or read'
  },
  {
    file: `${own}monitor/monitor.ts`,
    line: /mostRemembered|isWhole|'worker-src'|remembered\.delete\(url/,
    because: 'how long contents are remembered, and what a setting is for that has only a name'
  },
  {
    file: `${own}monitor/allowance.ts`,
    line: /sweptMs|refillMs|Infinity/,
    because: limits
  },
  { file: `${own}monitor/allowance.ts`, operators: ['number', 'boundary'], because: limits },
  {
    file: `${own}monitor/content.ts`,
    line: /^ {2}\[?\/|disguises|readings|sendings|best|cost|18|Math\.|ersions = 20|slice\(/,
    before: /^(?!js_|obfuscation_score:|dataflow_score:)/,
    because: scoring
  },
  {
    file: `${own}monitor/endpoint.ts`,
    operators: ['drop-guard', 'drop-property', 'number', 'skip-write', 'one-plan-only', 'always'],
    line: /refusal|mediaTypes|isAllowed|closing|instanceof|text\/pl|resume|status|if \(violation/,
    before: /^(?!violation && |violation$)|^violation$/,
    because: limits
  },
  { file: `${own}monitor/report.ts`, line: /longest/, because: limits },
  {
    file: `${own}monitor/set-cookie.ts`,
    operators: ['number', 'drop-guard', 'swap-arguments'],
    line: /endOfTime =|equals\)|name === ''|lastIndexOf/,
    because: 'cookies that browsers ignore, or that say nothing of a path: the document neither'
  },
  {
    file: `${own}monitor/set-cookie.ts`,
    after: /^\((given|maxAgeSeconds)\)$/,
    because: 'cookies that browsers ignore, or that say nothing of a path: the document neither'
  },
  {
    file: `${own}monitor/sighting.ts`,
    line: /mostPages = |reportsUntilActive|reports \?\? 0/,
    because: 'which status a detection has when, and how much is kept of it, is not shown'
  },
  {
    file: `${own}monitor/sighting.ts`,
    operators: ['drop-guard'],
    line: /roomFor\(/,
    because: limits
  },
  {
    file: `${own}detection.ts`,
    operators: ['drop-property', 'first-only', 'swap-arguments', 'number', 'swap-constants'],
    line: /: (hex|hash|url|time|text|texts|whole|yesOrNo|v\..*|script|resource|cookie)\b|v\.|seen,/,
    because: placed
  },
  {
    file: `${own}detection-defaults.ts`,
    operators: ['number', 'swap-constants', 'swap-arguments', 'drop-branch', 'negate'],
    line: /^(?!.*(categories\?|: address\())/,
    because: placed
  },
  {
    file: `${own}detection-defaults.ts`,
    operators: ['drop-property'],
    before: /^(?![\s\S]*(\.\.\.|script|connection|cookie))/,
    because: placed
  },
  {
    file: `${own}detection-operations.ts`,
    line: /item !== ''|item\.trim|split\(',/,
    operators: ['drop-filter', 'first-only'],
    because: 'that a parameter may be a list, or empty, is not said'
  },
  {
    file: `${own}detection-table.ts`,
    operators: ['number', 'boundary'],
    line: /total: number \| null|2 \*\*|places/,
    because: `${limits}; that a parameter may be a list is not said`
  },
  {
    file: `${own}detection-table.ts`,
    operators: ['drop-guard', 'negate'],
    line: /values\.length === 1/,
    because: 'the same rows are found by a comparison and by a list of one'
  },
  { file: `${own}policy/policy.ts`, before: /^ORDER BY seq$/, because: order },
  {
    file: `${own}policy/policy.ts`,
    operators: ['swap-constants'],
    before: /^('log', 'allow'|'true', 'false'|'(INSERT|UPDATE)', '(UPDATE|DELETE)')$/,
    because: 'words of which any is meant, in whichever order'
  },
  {
    file: `${own}policy/policy.ts`,
    after: /^\(undefined\)$/,
    because: 'what becomes of an expression or a value of no sense is not said'
  },
  {
    file: `${own}policy/policy.ts`,
    line: /'DELETE FROM policy/,
    operators: ['negate', 'number'],
    because: 'nobody asks how many were deleted'
  },
  {
    file: `${own}policy/policy.ts`,
    before: /^message: fault$/,
    because: 'in which words a value is refused is not said'
  },
  {
    file: `${own}policy/policy-operations.ts`,
    operators: ['drop-guard', 'drop-filter'],
    line: /checkRoom|fault !== undefined|before\.filter/,
    because: limits
  },
  {
    file: `${own}policy/policy-operations.ts`,
    before: /^(id|result: \{ id \}|id: newId\(\))$/,
    line: /result: \{ id \}/,
    because: 'what a deletion answers is not shown'
  },
  {
    file: `${own}policy/room.ts`,
    operators: ['drop-guard', 'boundary', 'drop-filter', 'first-only', 'number'],
    because: limits
  },
  {
    file: `${own}policy/room.ts`,
    after: /^\((after\.length > limits\.policies|bytes <= limits\.policyHeadBytes)\)$/,
    because: limits
  },
  {
    file: `${own}policy/apply.ts`,
    line: /mostKept|let size|kept\.keys|forget\(oldest/,
    because: 'how much of policies is kept ready is a matter of speed'
  },
  {
    file: `${own}policy/apply.ts`,
    operators: ['skip-write', 'stale'],
    line: /kept\.(set|delete)|keep\(zone|checks\.(get|set)/,
    because: 'what is not kept ready is prepared again, which is a matter of speed'
  },
  {
    file: `${own}policy/apply.ts`,
    after: /^(\(prepare(d\(source|\(zone)[\s\S]*|\(headers\)|)$/,
    before: /^(known\?|checks\.get|end < 0|, known|if \(policies\.length)/,
    because: 'what is not kept ready is prepared again; how many bytes of headers there may be'
  },
  {
    file: `${own}policy/directive.ts`,
    operators: ['swap-constants', 'stale'],
    because: 'words of which any is meant, and what is looked up in lists that stay as they are'
  },
  {
    file: `${own}policy/directive.ts`,
    operators: ['drop-guard', 'boundary', 'drop-property'],
    line: /^(?!.*(other === undefined|name === undefined|word: (fetch|sandbox)))/,
    because: values
  },
  {
    file: `${own}policy/directive.ts`,
    operators: ['number'],
    line: /most|least|words\.length > 1/,
    after: /^(2|\(-1\)|1)$/,
    because: values
  },
  {
    file: `${own}policy/directive.ts`,
    line: /mixed|report-to|webrtc|trusted|-activation'|report-sha|return word\.length/,
    because: values
  },
  {
    file: `${own}policy/directive.ts`,
    after: /^\(undefined\)$/,
    line: /isNone|seen|wrong/,
    because: values
  },
  {
    file: `${own}script.ts`,
    line: /limitBytes|chunks\.length|x-gzip|bytes = 0|status === 200/,
    operators: ['number', 'boundary', 'drop-guard', 'always', 'drop-property', 'skip-write'],
    before: /^(?!chunks\.push|, body|\.\.\.served|coding:|200)/,
    because: limits
  },
  {
    file: `${own}settings.ts`,
    line: /v\.optional|use_(service|connection)/,
    operators: ['drop-property', 'swap-constants'],
    before: /^(?!,?\s*use_[\s\S]*(true|false))/,
    because:
      'which settings an update takes beyond enabled is not shown, nor what they are at first'
  },
  {
    file: `${own}settings.ts`,
    operators: ['number'],
    because: 'by how much more than a moment an update moves the time of the last'
  },
  {
    file: `${own}protection.ts`,
    line: /valuesOf\(headers, 'host'\)/,
    because: 'an edge at a port that is none of the scheme’s is one of ours'
  }
]
