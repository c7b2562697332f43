import type { Equivalence } from './equivalent.ts'

/** What the document says nothing of in what is learnt of pages, place by place. */
const own = 'src/platform/page-protection/'

const limits =
  'how much is taken of policies, reports and contents is not said: the limits are the platform’s'
const scoring = 'how a content is scored is not said, only that lower is worse, and a threshold'

/** Faults in the eye on what pages load where the document is silent, and why it is. */
export const silentMonitor: readonly Equivalence[] = [
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
    line: /mostRemembered|isWhole|'worker-src'|remembered\.delete\(url/,
    because: 'how long contents are remembered, and what a setting is for that has only a name'
  },
  {
    file: `${own}monitor/monitor.ts`,
    operators: ['stale'],
    line: /remembered\.get/,
    because: 'how long contents are remembered, and what a setting is for that has only a name'
  },
  {
    file: `${own}monitor/allowance.ts`,
    line: /sweptMs|refillMs|Infinity/,
    because: limits
  },
  { file: `${own}monitor/allowance.ts`, operators: ['number', 'boundary'], because: limits },
  {
    // Who is never refused a report has no limit; who is refused the first one detects nothing.
    file: `${own}monitor/allowance.ts`,
    operators: ['drop-branch', 'stale', 'skip-write', 'negate'],
    line: /budgets\.(get|set)\(/,
    after: /^(?!\(budgets\.get\(name\)\)$)/,
    because: limits
  },
  {
    file: `${own}monitor/endpoint.ts`,
    operators: ['drop-branch'],
    before: /^message\.(url|headers\['content-type'\]) \?\? ''$/,
    after: /^\(message\./,
    because: 'a request has a path, and a media type that is none is as good as none'
  },
  {
    file: `${own}monitor/endpoint.ts`,
    after: /^\(''\)$/,
    line: /new URL\(message\.url/,
    because: 'whether what a policy reports is detected by that, too, is not said'
  },
  {
    file: `${own}monitor/endpoint.ts`,
    operators: ['number'],
    line: /writeHead\(204\)/,
    because: 'what a report is answered with is not said'
  },
  {
    file: `${own}monitor/monitor.ts`,
    operators: ['drop-guard'],
    line: /if \(policy !== null\)/,
    because: 'whether what a policy reports is detected by that, too, is not said'
  },
  {
    file: `${own}monitor/monitor.ts`,
    operators: ['skip-write', 'first-only'],
    line: /of scriptsAt|rewriteDetection/,
    because: 'when content is looked at is not said: the next report of a script has it, too'
  },
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
    file: `${own}monitor/set-cookie.ts`,
    operators: ['drop-guard'],
    line: /!host\.endsWith/,
    because: 'cookies that browsers ignore, or that say nothing of a path: the document neither'
  },
  {
    file: `${own}monitor/set-cookie.ts`,
    line: /maxAgeSeconds === null|attributes\.get\('expires'\)|Math\.max\(at, 0\)/,
    before: /^(1_000|0|, now|maxAgeSeconds === null \? .*)$/,
    after: /^(1001|999|2000|1|\(-1\)||\(Date\.parse\(date\)\))$/,
    because: 'what the Expires is of a cookie that has none, or one long ago, is not said'
  },
  {
    file: `${own}monitor/report.ts`,
    operators: ['drop-property'],
    before: /^,\s+disposition: /,
    because: 'browsers say both alike, and what is done with how a report came about is not said'
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
    file: `${own}monitor/sighting.ts`,
    operators: ['drop-branch'],
    line: /malicious_(domain|url)_categories/,
    after: /^\((threats\.url|\{ malicious_domain_categories[^)]*)\)$/,
    because: 'categories of what is not reported may be there or not, and only our control reports'
  },
  {
    file: `${own}monitor/sighting.ts`,
    operators: ['drop-property'],
    before: /^(,\s+)?status: ''/,
    because: 'the status is put in its place afterwards'
  },
  {
    file: `${own}monitor/sighting.ts`,
    operators: ['stale'],
    line: /firstOf\(before\)/,
    because: 'of one detection that is what stays as it was'
  },
  {
    file: `${own}monitor/report.ts`,
    operators: ['drop-branch'],
    after: /violated-directive'\]\)$/,
    because: 'every report of a browser names a directive'
  },
  {
    file: `${own}monitor/threat.ts`,
    operators: ['first-only'],
    line: /labels\.map|domains\.map/,
    because: 'whether what is reported of a domain is of those below it as well is not said'
  },
  {
    file: `${own}monitor/threat.ts`,
    operators: ['query'],
    line: /scope = \?/,
    because: 'no domain is called what a URL is called'
  },
  {
    file: `${own}monitor/threat.ts`,
    operators: ['stale'],
    line: /sql, scope, name/,
    because: 'when what becomes known of an address is told of what was met before is not said'
  }
]
