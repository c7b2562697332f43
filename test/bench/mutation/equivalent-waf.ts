import type { Equivalence } from './equivalent.ts'

const folder = 'src/platform/waf/'
const attack =
  'what is an attack, and through which disguises it is seen, is nowhere said: one WAF is held ' +
  'against the other, and both look here; bench:detection measures it'
const shown = 'how the API of the previous WAF and managed rulesets are shown is nowhere said'

/** Faults in the two WAFs of which the document says nothing, and why. */
export const ofWafs: readonly Equivalence[] = [
  ...['control.ts', 'seeding.ts'].map((name) => ({
    file: `${folder}${name}`,
    because: 'the door of our adapter, and what it puts into zones: no document speaks of it'
  })),
  {
    file: `${folder}attack.ts`,
    operators: ['first-only', 'number', 'swap-constants', 'swap-arguments', 'drop-property'],
    because: attack
  },
  {
    file: `${folder}plain.ts`,
    operators: ['number', 'boundary', 'drop-branch', 'drop-property', 'drop-guard', 'first-only'],
    because: attack
  },
  { file: `${folder}plain.ts`, operators: ['swap-constants', 'swap-arguments'], because: attack },
  {
    file: `${folder}body-values.ts`,
    operators: ['number', 'swap-constants', 'drop-property', 'swap-arguments'],
    line: /inspectedBytes|escapes|131_072/,
    because: attack
  },
  {
    file: `${folder}body-values.ts`,
    line: /\b(part|head|boundary|quoted|bare|isFile|names|hex|inner|one)\b|matchAll/,
    because: 'which bodies but forms are looked into, and how far, is nowhere said'
  },
  {
    file: `${folder}body-values.ts`,
    operators: ['first-only'],
    line: /readers\.some/,
    because: 'which bodies but forms are looked into is nowhere said'
  },
  {
    file: `${folder}inspected.ts`,
    operators: ['swap-arguments'],
    line: /kept\.set/,
    because: 'values are kept so that they need not be worked out again'
  },
  {
    file: `${folder}inspected.ts`,
    operators: ['number'],
    line: /indexOf\('='\)/,
    because: attack
  },
  {
    file: `${folder}inspected.ts`,
    operators: ['number', 'boundary', 'drop-guard', 'skip-write', 'always', 'stale'],
    line: /most(Rounds|Kept)|longestKept|kept\.|known !== undefined|configurable/,
    because: 'values are kept so that they need not be worked out again'
  },
  {
    file: `${folder}enforcement.ts`,
    operators: ['number', 'boundary', 'drop-guard', 'skip-write', 'always'],
    line: /mostKept|known\?\.revision|kept\.set/,
    because: 'a zone is kept ready so that it need not be made ready again'
  },
  {
    file: `${folder}enforcement.ts`,
    line: /at: timestamp\(now\)|eventOf\(finding/,
    because: 'events are not shown'
  },
  {
    file: `${folder}previous/previous-waf.ts`,
    operators: ['number', 'boundary', 'swap-constants'],
    line: /thresholds/,
    because: 'from which sum on the previous OWASP package acts is not shown'
  },
  {
    file: `${folder}mapping.ts`,
    line: /^ *off: \{/,
    because: 'a package that is off is migrated as rules that are: their numbers do nothing'
  },
  {
    file: `${folder}new-waf.ts`,
    line: /defaultThreshold = /,
    because: 'the threshold of a ruleset of which nobody has said one is nowhere said'
  },
  ...['previous/previous-waf.ts', 'new-waf.ts'].map((name) => ({
    file: `${folder}${name}`,
    operators: ['drop-property'],
    before: /^,?\s*(source|ruleId|rulesetId)\b/,
    because: 'events are not shown'
  })),
  {
    file: `${folder}previous/previous-waf.ts`,
    line: /^(?!.*\breturn\b).*(\boverrid|paused|urls\.map)/,
    because: 'what an override for a URI does to the previous WAF is nowhere said'
  },
  {
    file: `${folder}signature.ts`,
    operators: ['number', 'swap-constants'],
    line: /^const severity/,
    because: 'what a match counts is nowhere said, only that it adds up'
  },
  ...['managed-ruleset.ts', 'previous/package.ts'].map((name) => ({
    file: `${folder}${name}`,
    operators: ['drop-filter', 'number', 'boundary'],
    line: /signatures\.filter/,
    because: 'which rules a managed ruleset, or a package, has is nowhere said'
  })),
  {
    file: `${folder}mapping.ts`,
    operators: ['drop-branch'],
    line: /owasp\.sensitivity !== 'off'/,
    after: /^\(deployment\.enabled\)$/,
    because: 'of a sensitivity the document has four, and off is none of them'
  },
  {
    file: `${folder}mapping.ts`,
    operators: ['drop-branch', 'swap-constants'],
    line: /'Firewall rule'/,
    because: 'in which words a rule is described is not shown'
  },
  {
    file: `${folder}migration-operations.ts`,
    line: /given\.rules\.length === 0/,
    operators: ['drop-guard', 'drop-branch', 'one-plan-only'],
    because: 'whether a configuration without a rule is one is nowhere said'
  },
  {
    file: `${folder}migration.ts`,
    operators: ['boundary'],
    line: /now >= migration\.completesAt/,
    because: 'how long a migration takes is nowhere said, be it a millisecond more'
  },
  {
    file: `${folder}previous/previous-operations.ts`,
    operators: ['drop-guard', 'one-plan-only'],
    line: /uriOverrides\.length === before/,
    because: 'what comes of the deletion of what is not there is nowhere said'
  },
  {
    file: `${folder}previous/previous-operations.ts`,
    before: /^(?!, *run)/,
    line: /id: 'waf', value|^ {4}path: `\$\{overridesPath/,
    because: 'paths of overrides, and the operations on the switch, are not shown'
  },
  {
    file: `${folder}previous/previous-operations.ts`,
    operators: ['drop-property'],
    before: /^,\s+run\(call\)/,
    line: /path: '\/zones\/:zone\/settings\/waf'/,
    because: 'paths of overrides, and the operations on the switch, are not shown'
  },
  {
    file: `${folder}migration-operations.ts`,
    operators: ['drop-guard'],
    line: /if \(next === state\)/,
    because: 'what comes of an update to the mode that a zone is in already is nowhere said'
  },
  {
    file: `${folder}mapping.ts`,
    line: /owasp\[by\]|owaspPackage\.rules|by === 'groups'|ruleFor\(owaspRuleset/,
    because: 'only breaks of the platform ask what was off in the OWASP package'
  },
  {
    file: `${folder}limits.ts`,
    operators: ['number', 'drop-property'],
    line: /entrypointBytes|MiB/,
    because: 'no size of it is said'
  },
  {
    file: folder,
    operators: ['number', 'drop-property'],
    line: /\bcode: \d|new Failure\(|message/,
    because: 'status, code and words of an error are not shown'
  },
  {
    file: `${folder}previous/previous-operations.ts`,
    operators: [
      'drop-property',
      'drop-branch',
      'swap-constants',
      'number',
      'drop-filter',
      'negate'
    ],
    // The mode that a rule was given is what it shows, and parts are known by their ids.
    before: /^(?!mode:|id,\s*$|.*\bid, description|settingsOf|.*\.\.\.\()/,
    line: /description|detection|_count|package_id|name:|isScored|allowed_modes|default_mode/,
    because: shown
  },
  {
    file: `${folder}ruleset-operations.ts`,
    line: /kind: 'managed'|^ +(id|name|description|version|phase),?$|enabled: true|scoreRule|\[own/,
    because: shown
  },
  {
    file: `${folder}ruleset-operations.ts`,
    line: /rule\.(id|description)|categoriesOf/,
    because: shown
  },
  {
    file: `${folder}managed-ruleset.ts`,
    operators: ['drop-property', 'swap-constants', 'number'],
    before: /^(?!, rules:)/,
    line: /name: '|description|version/,
    because: shown
  },
  {
    file: `${folder}previous/package.ts`,
    operators: ['drop-property', 'swap-constants'],
    before: /^(?!, chosen:)/,
    line: /description|detection/,
    because: shown
  },
  {
    file: `${folder}migration-operations.ts`,
    operators: ['drop-guard'],
    before: /checkPhase|isPhaseTwo/,
    because: 'what comes of a call without phase_two is nowhere said'
  },
  {
    file: `${folder}ruleset.ts`,
    operators: ['drop-property', 'number', 'drop-branch'],
    before: /^,? *(version|ref|kind|phase|last_|id: bef)|^before\?\.v|^one\.ref|^[01]$|^old\?\.r/,
    because: 'the fields that an entry point has of its own are not shown'
  },
  {
    file: `${folder}ruleset.ts`,
    operators: ['drop-guard', 'skip-write', 'drop-property'],
    line: /'must be|dataset\.typed|addIssue/,
    because: 'what comes of a ruleset that is none is not shown'
  },
  {
    file: `${folder}previous/configuration.ts`,
    operators: ['swap-constants', 'drop-property', 'number', 'first-only'],
    line: /must|dataset|addIssue|characterLimit|optional|Modes = |Actions = |sensitivities = /,
    because: 'what can be said of the previous WAF, and in which words, is not shown'
  },
  {
    file: `${folder}url-pattern.ts`,
    operators: ['number', 'boundary', 'drop-guard'],
    line: /mostCharacters|pattern === ''|printable|patternFault/,
    because: 'which patterns are none is nowhere said'
  },
  {
    file: `${folder}mapping.ts`,
    operators: ['drop-filter'],
    line: /\.slice\(0, index\)\.filter\(isTurnedOn\)|pageRules\.filter\(isTurnedOn\)\.map/,
    because: 'whatever page rules turn off is skipped by a rule before, so that requests fare alike'
  },
  {
    file: `${folder}ruleset-operations.ts`,
    operators: ['drop-guard'],
    line: /entrypoint\?\.id === id/,
    because: 'of the entry point only what updates it, and where it is read, is shown'
  },
  {
    file: `${folder}previous/previous-operations.ts`,
    operators: ['drop-property'],
    before: /^\.\.\.shown, ?$/,
    because: 'which fields a package of the previous WAF has is not shown'
  }
]
