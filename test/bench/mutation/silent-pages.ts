import type { Equivalence } from './equivalent.ts'

/** What the document of page protection says nothing of, place by place. */
const own = 'src/platform/page-protection/'

const limits =
  'how much is taken of policies, reports and contents is not said: the limits are the platform’s'
const placed =
  'what the control listener takes, and what it fills in: what an adapter leaves out is the ' +
  'target’s choice'
const scoring = 'how a content is scored is not said, only that lower is worse, and a threshold'

/** Faults in page protection where the document is silent, and why it is. */
export const silentPages: readonly Equivalence[] = [
  {
    file: `${own}limits.ts`,
    operators: ['number', 'swap-constants'],
    // Three detections of a kind would be few.
    before: /^(?!3,)/,
    because: limits
  },
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
    operators: ['one-plan-only'],
    line: /policy !== null/,
    because: 'whether what a policy reports is detected by that, too, is not said'
  },
  {
    file: `${own}monitor/monitor.ts`,
    line: /mostRemembered|remembered\.get|isWhole|'worker-src'|remembered\.delete\(url/,
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
    before: /^(?!js_|obfuscation_score:|dataflow_score:|\[?\/.*\/i?, \d+\]?$)/,
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
    line: /endOfTime =|name === ''|lastIndexOf|split\('=', 1\)/,
    because: 'cookies that browsers ignore, or that say nothing of a path: the document neither'
  },
  {
    file: `${own}monitor/set-cookie.ts`,
    after: /^\((given|maxAgeSeconds)\)$/,
    because: 'cookies that browsers ignore, or that say nothing of a path: the document neither'
  },
  {
    file: `${own}monitor/report.ts`,
    operators: ['drop-property', 'drop-branch', 'swap-constants'],
    before: /^('(effective|violated)-directive': |report\[.*\]$|'enforce'|, disposition)/,
    after: /^(?!\(''\))/,
    because: 'browsers say both alike, and what is done with how a report came about is not said'
  },
  {
    file: `${own}monitor/report.ts`,
    operators: ['drop-branch', 'drop-guard'],
    line: /blocked: webAddress|page === undefined|https\?:/,
    after: /^(?!\(undefined\))/,
    because: 'what becomes of reports of no page, and of no address, of the web is not said'
  },
  {
    file: `${own}monitor/monitor.ts`,
    operators: ['stale'],
    line: /kindOf\.get/,
    because: 'what is looked up in a list that stays as it is'
  },
  {
    file: `${own}part.ts`,
    before: /ownTables|breaks:|^!==$/,
    after: /^(?!true)/,
    because: 'what the first zones have, whether a new one is on, and how we are broken on purpose'
  },
  {
    file: `${own}part.ts`,
    operators: ['one-plan-only'],
    line: /seededAs/,
    because: 'which of the first zones have something in them is promised nowhere'
  },
  {
    file: `${own}monitor/sighting.ts`,
    line: /mostPages = |reportsUntilActive|reports \?\? 0/,
    after: /^(?!\(before\?\.reports\)$)/,
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
    before: /^((url|hash|\.\.\.resource),\s*|'page_urls', 'versions')$/,
    because: placed
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
    line: /item !== ''|item\.trim|split\(',|return text/,
    operators: ['drop-filter', 'first-only'],
    because: 'that a parameter may be a list, or empty, is not said'
  },
  {
    file: `${own}detection-table.ts`,
    operators: ['number', 'boundary', 'drop-branch', 'stale', 'query'],
    line: /total: number \| null|SELECT sum|2 \*\*|places/,
    because: `${limits}; that a parameter may be a list is not said`
  },
  {
    file: `${own}detection-table.ts`,
    operators: ['drop-guard', 'negate'],
    line: /values\.length === 1/,
    because: 'the same rows are found by a comparison and by a list of one'
  },
  {
    file: `${own}detection-table.ts`,
    before: /^(, reports: row\.reports|(zone|kind) = \?)$/,
    line: /row &&|'(SELECT record, reports|UPDATE detection)/,
    because: 'how often something was met is not shown, and its id is made of zone, kind and name'
  },
  {
    file: `${own}detection-table.ts`,
    line: /IN \(\$/,
    because: 'that a parameter may be a list is not said'
  },
  {
    file: `${own}script.ts`,
    line: /limitBytes|chunks\.length|x-gzip|bytes = 0|status === 200/,
    operators: ['number', 'boundary', 'drop-guard', 'always', 'drop-property', 'skip-write'],
    before: /^(?!chunks\.push|, body|\.\.\.served|coding:|200)/,
    because: limits
  },
  {
    file: `${own}script.ts`,
    after: /^\((method === 'GET'|served\.status === 200|scriptTypes.*|coding === '')/,
    because: 'of which answers a content is kept ready beside those of scripts'
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
