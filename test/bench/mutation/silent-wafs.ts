import type { Equivalence } from './equivalent.ts'

/** What the document says nothing of in the two WAFs, place by place. */
const own = 'src/platform/waf/'

const door = 'what the control listener takes of a previous WAF, for our adapter: not said'
const speed = 'what is not kept ready is made ready again, which is a matter of speed'
const shown = 'how the API of the previous WAF and managed rulesets are shown is nowhere said'
const ids = 'whether a rule that is sent again keeps the id that it has is not said'
const patterns = 'which patterns are none, and what one means, is not said: both WAFs read it alike'
const pending = 'how long a migration takes, and what is on meanwhile beside the new WAF: not said'

/** Faults in the WAFs and the migration where the document is silent, and why it is. */
export const silentWafs: readonly Equivalence[] = [
  { file: `${own}part.ts`, line: /control: wafControl/, because: door },
  {
    file: `${own}part.ts`,
    operators: ['drop-property', 'skip-write', 'one-plan-only'],
    line: /zones: \{|breaks: |configuration: ineligible/,
    because: 'which zones a platform of ours begins with is promised nowhere'
  },
  {
    file: `${own}previous/configuration.ts`,
    operators: ['drop-property'],
    before: /^(id: freshId|enabled: v\.|expression,|url,|, waf: onOff|, disable|\w+Rules: v)/,
    because: door
  },
  {
    file: `${own}previous/configuration.ts`,
    line: /pageRule = v\.union|patternFault\(dataset|fault !== undefined|uriOverrides: v\.array/,
    because: door
  },
  {
    file: `${own}previous/configuration.ts`,
    operators: ['drop-property'],
    before: /^,\s+uriOverrides: v\./,
    because: door
  },
  {
    file: `${own}enforcement.ts`,
    operators: ['stale', 'drop-guard', 'negate', 'swap-arguments', 'drop-property'],
    before:
      /^(kept\.get\(zoneId\)|if \(revision ===|kept\.size >=|zoneId, fresh|,? ?revision,?\s*$)/,
    because: speed
  },
  {
    file: `${own}enforcement.ts`,
    operators: ['drop-branch', 'number'],
    line: /const isRead =|return isRead \?/,
    after: /^(\((isInspected\(type\)|revisionOf[\s\S]*|inspectedBytes)\)|1)$/,
    because: 'what is read of a body and not looked into takes time, and nothing else'
  },
  {
    file: `${own}finding.ts`,
    operators: ['drop-guard'],
    line: /stops\(finding\)\) break/,
    because: 'what is behind a finding that stops a request is not come to there either'
  },
  {
    file: `${own}mapping.ts`,
    line: /\[1, 2, 3, 4\]/,
    before: /^(1|1, 2|2, 3|3, 4)$/,
    because: 'the first level is never off, and of the others any order will do'
  },
  {
    file: `${own}mapping.ts`,
    operators: ['drop-filter'],
    line: /slice\(0, index\)/,
    because: 'where an earlier page rule turns the WAF off it is off by that'
  },
  {
    file: `${own}migration.ts`,
    line: /now >= migration\.completesAt/,
    after: /^\((migration\.state === 'pending'|now >= migration\.completesAt)\)$/,
    because: pending
  },
  { file: `${own}migration.ts`, line: /^ {2}pending: \[/, before: /^[^,]|^,$/, because: pending },
  {
    file: `${own}migration.ts`,
    operators: ['drop-branch', 'negate'],
    before: /^state === 'complete'( \? 'complete' : 'pending')?$/,
    line: /mode === 'pending'/,
    because: 'both are kept as one: what is pending completes when it would'
  },
  {
    file: `${own}migration.ts`,
    operators: ['drop-branch', 'swap-constants'],
    before: /^(state === 'start' \|\| state === 'validation'|'start')$/,
    after: /^(\(state === 'validation'\)|'validation')$/,
    line: /return \{ state \}/,
    because: 'no update leads to the start'
  },
  {
    file: `${own}migration.ts`,
    operators: ['boundary'],
    line: /migratedExpressionBytes/,
    because: 'a KB may be 1,000 bytes: what is between the readings may be taken or refused'
  },
  {
    file: `${own}limits.ts`,
    operators: ['number'],
    before: /^1_024$/,
    after: /^1023$/,
    because: 'a KB may be 1,000 bytes: what is between the readings may be taken or refused'
  },
  {
    file: `${own}migration.ts`,
    after: /^\(long\)$/,
    because: 'in which words a migration is refused is not shown'
  },
  {
    file: `${own}migration-operations.ts`,
    operators: ['drop-guard'],
    before: /^checkMigratable\(call, kept\)$/,
    because: 'which call reports what is not migrated is not said: the other one does'
  },
  {
    file: `${own}migration-operations.ts`,
    operators: ['drop-guard', 'one-plan-only'],
    line: /if \(next === (undefined|state)\)/,
    because: 'what comes of an update that leads nowhere is not said, but that the zone stays'
  },
  {
    file: `${own}migration-operations.ts`,
    operators: ['drop-property'],
    before: /^bodyBytes: /,
    because: 'no size of it is said'
  },
  {
    file: `${own}migration-operations.ts`,
    operators: ['number'],
    line: /given\.rules\.length === 0/,
    after: /^\(-1\)$/,
    because: 'whether a configuration without a rule is one is nowhere said'
  },
  {
    file: `${own}migration-operations.ts`,
    operators: ['stale'],
    line: /const now = time\.now\(\)/,
    because: pending
  },
  {
    file: `${own}zone-waf.ts`,
    operators: ['number', 'swap-constants', 'drop-property'],
    line: /isPartner: false|completionMs: 0/,
    before: /^(0|false,\s+completionMs: 0|isPartner: false,\s+)$/,
    because: `${pending}; that a zone is a partner’s makes no difference`
  },
  {
    file: `${own}ruleset.ts`,
    operators: ['first-only', 'stale', 'skip-write', 'drop-branch'],
    line: /new Map\(before|known\.(get|delete)|newId\(\)/,
    after: /^(?!\((old\?|before\?)\.id\)$)/,
    because: ids
  },
  {
    file: `${own}ruleset.ts`,
    operators: ['swap-constants'],
    line: /^export const wafActions/,
    because: 'words of which any will do, in whichever order'
  },
  {
    file: `${own}url-pattern.ts`,
    line: /pattern === ''|printable ASCII|schemes|rest\.replaceAll/,
    because: patterns
  },
  {
    file: `${own}url-pattern.ts`,
    after: /^\(compile\(parsed\.expression\)\)$/,
    because: 'an expression that does not parse is not kept'
  },
  {
    file: `${own}signature.ts`,
    line: /^export const categories/,
    because: shown
  },
  {
    file: `${own}signature.ts`,
    operators: ['drop-branch', 'skip-write', 'swap-arguments'],
    line: /known\.(get|set)\(/,
    after: /^(?!\(known\.get\(name\)\)$)/,
    because: 'what is looked for twice is found twice, which is a matter of speed'
  },
  {
    file: `${own}previous/package.ts`,
    operators: ['first-only', 'drop-property'],
    before: /^(|, category)$/,
    line: /groups: categories\.map|paranoia <= 2/,
    because: shown
  },
  {
    file: `${own}previous/previous-operations.ts`,
    operators: ['first-only', 'drop-filter', 'negate'],
    line: /of\.rules\.filter|modified_rules_count|allowed_modes/,
    because: shown
  },
  {
    file: `${own}previous/previous-operations.ts`,
    operators: ['drop-property', 'drop-guard', 'negate'],
    before:
      /^(sensitivity: owasp|, action_mode: owasp|if \(one === servicePackage\) return|one ===)/,
    line: /return shown|\.\.\.shown/,
    because: shown
  },
  {
    file: `${own}previous/previous-operations.ts`,
    operators: ['drop-branch'],
    after: /^\((settings\.groups\[id\]|settingsOf\(of, configuration\)\.rules\[id\])\)$/,
    because: 'in which word a mode is told that nobody has chosen is not said'
  },
  ...['inspected.ts', 'body-values.ts'].map((name) => ({
    file: own + name,
    operators: ['drop-branch'],
    line: /facts\['http\.|\?\? \[\]$/,
    after: /^\((facts\['http\.[a-z_.]+'\]|readers\.find[\s\S]*)\)$/,
    because: 'only what is known is asked of, and is a text there'
  })),
  {
    file: `${own}migration.ts`,
    operators: ['swap-constants'],
    line: /\? 'validation' : undefined/,
    before: /^'validation'$/,
    after: /^'2'$/,
    because: 'whether validation can be asked for again is in no row of the states'
  },
  {
    file: `${own}signature.ts`,
    operators: ['stale', 'skip-write'],
    line: /sources\.get\(name\)|checks\.set\(name, check\)/,
    because: 'a check is made anew or kept, of a text that never changes'
  },
  {
    file: `${own}migration.ts`,
    operators: ['stale'],
    line: /modes\.get\(value\)/,
    because: 'what a word is short for never changes'
  },
  {
    file: `${own}signature.ts`,
    operators: ['stale'],
    line: /known\.get\(name\)/,
    because: 'what is looked up before it is kept is not there, and is then found out again'
  },
  {
    file: `${own}ruleset-operations.ts`,
    operators: ['stale', 'drop-branch', 'drop-property', 'first-only'],
    line: /readWaf\(|rules: _|managedRulesets\.map|rulesOf\(managed\)/,
    because: 'the document shows how an entry point is updated, and no other way to read rulesets'
  },
  {
    file: `${own}previous/previous-operations.ts`,
    operators: ['drop-filter'],
    line: /before\.uriOverrides\.filter/,
    because: 'how an override is deleted is not shown: whose adapter cannot is blocked'
  },
  {
    file: `${own}mapping.ts`,
    operators: ['drop-property'],
    line: /action: 'block',$|enabled: false$/,
    before: /^,?\s*(action: 'block'|enabled: false)/,
    because: 'what was turned off of the previous ruleset is migrated by breaks of ours only'
  },
  {
    file: `${own}plain.ts`,
    operators: ['negate'],
    line: /startsWith\('!'\)|hex === undefined|point > 0x10/,
    because: 'which attacks a managed ruleset knows, and in which writings, is not said'
  },
  {
    file: `${own}mapping.ts`,
    operators: ['drop-branch'],
    line: /isTurnedOn: /,
    after: /^\(rule\.waf === 'on'\)$/,
    because: 'what a rule does not have is not on either'
  },
  {
    file: `${own}body-values.ts`,
    operators: ['boundary'],
    line: /equals < 0/,
    because: 'what is an attack is not said: what has no name is looked into all the same'
  }
]
