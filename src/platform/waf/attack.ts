/** A signature of one category: severity and paranoia level are critical and 1 if unsaid. */
export type Described = [
  name: string,
  description: string,
  expression: string,
  more?: { paranoia?: number; severity?: 'critical' | 'error' | 'warning' | 'notice' }
]

/** Whether the raw text has a word; to look for one costs next to nothing. */
const has = (word: string) => `waf.text contains "${word}"`

/** Whether a pattern is found in a text, which is only looked for where one of the words is. */
function seen(field: string, pattern: string, hints: readonly string[]): string {
  const found = `${field} matches r#"(?s)${pattern}"#`
  if (hints.length === 0) return found
  return `(${hints.map((hint) => `${field} contains "${hint}"`).join(' or ')}) and ${found}`
}

/** … in what was sent, with its line breaks and bytes. */
const text = (pattern: string, ...hints: string[]) => seen('waf.text', pattern, hints)
/** … in its plain words: each value begins behind a line break. */
const words = (pattern: string, ...hints: string[]) => seen('waf.words', pattern, hints)
/** … in those of path and query. */
const target = (pattern: string, ...hints: string[]) => seen('waf.target', pattern, hints)

/** Where a value of SQL ends before its time: in a quote, or behind a number that is all of it. */
const cut = '([\'"`][) ]*|\\n-?[0-9]+[) ]*|[=(] ?-?[0-9]+[) ]*)'
const end = '( ?(--|;|/\\*|\\x23)| ?\\n| ?$)'
const lit = '[(\'" ]*[\\w.]*[\'") ]*'
const ddl = '(drop (table|database|view|user|schema)|truncate table|shutdown|exec[ (]|alter table)'
const dml = '(insert into |delete from |update \\w+ set |create (table|user) |declare @|select )'
const events = 'on(error|load|click|focus|blur|toggle|mouse\\w+|pointer\\w+|key\\w+|anim\\w+)'
const moreEvents = 'on(begin|end|start|finish|input|change|submit|drag\\w*|page\\w+|wheel|resize)'
const command = '(id|whoami|cat|ls|curl|wget|uname|ping|sleep|nslookup|bash|sh|nc|printenv|env)'
const file = '(/etc/|/proc/|/var/log|passwd|shadow|\\.env|\\.ssh|/root|win\\.ini)'
/** A page's address is in most requests, as its referer: these are in few. */
const schemes = 'php:/ file:/ expect:/ phar:/ zip:/ gopher:/ dict:/ ldap:/ jar:/ glob:/'.split(' ')
const calls = '(alert|prompt|confirm|eval|fetch|settimeout|import)'

/** Commands for databases and shells in what should be a value. */
export const injection: Described[] = [
  [
    'union-select',
    'SQL: a second query',
    words(`(${cut}|null )union[ (]+((all|distinct)[ (]+)?select\\b`, 'union')
  ],
  [
    'select-from',
    'SQL: a query of its own',
    words(`([=|+*'"]|\\b(and|or|not|when)|\\n) ?\\( ?select [^\\n]{1,100}\\bfrom\\b`, 'select')
  ],
  [
    'tautology',
    'SQL: always true',
    words(
      `${cut}(or|and|xor|having|\\|\\||&&) ?(not )?([('" ]*[0-9]+['") ]*|${lit}['"] ?|true ?` +
        `|false ?)(=|<|>|like |in |between |is |${end})`,
      ...['or ', 'or(', "or'", 'or\\"', 'and ', 'and(', "and'", 'having', '||', '&&']
    )
  ],
  [
    'stacked-query',
    'SQL: another statement',
    words(
      `${cut}; ?(${ddl}|${dml})`,
      ...[
        'drop ',
        'truncate',
        'shutdown',
        'exec',
        'alter ',
        'insert ',
        'delete ',
        'update ',
        'create ',
        'declare',
        'select '
      ]
    )
  ],
  [
    'schema',
    'SQL: tables about tables',
    words(
      `${cut}[^\\n]{1,80}(information_schema\\.|sqlite_master|pg_shadow|sysobjects)`,
      ...['information_schema', 'sqlite_master', 'pg_shadow', 'sysobjects']
    )
  ],
  [
    'timing',
    'SQL: a query that waits',
    words(
      `(${cut}(and |or |\\|\\| ?|; ?|union |select |case |if ?\\(|[,(=+-] ?)*|\\n` +
        `|\\()(pg_sleep|sleep|benchmark) ?\\( ?[0-9.]+ ?[,)]|waitfor delay ?'`,
      'sleep',
      'benchmark',
      'waitfor'
    )
  ],
  [
    'shell',
    'A shell command behind another',
    words(
      `[;|&\`\\n(] ?(/(usr/)?bin/)?(cat|tac|less|more|head|tail|ls|dir|type|rm|cp` +
        `|grep) [^\\n]{0,40}${file}|` +
        `[;|&\`] ?(id|whoami|uname -a|ifconfig|netstat -\\w+|ls( -\\w+)?|printenv` +
        `|net user)( ?[;|&\`]| ?\\n| ?$)|` +
        `[;|&] ?(wget|curl) [^\\n]{0,30}(://|[0-9]\\.[0-9])|[;|&\`] ?(nc|ncat` +
        `|telnet) -?[\\w.]+ |` +
        `[;|&\`] ?(/bin/)?((ba|z|da)?sh|python[0-9]?|perl|ruby|php|powershell` +
        `|cmd)(\\.exe)? [-/](i|c|e|r|enc)\\b|` +
        `[;|&\`] ?(sleep|ping|timeout) (-\\w )?[0-9]|[;|&] ?rm -\\w*r|/dev/tcp/` +
        `|\\(\\) ?\\{[^\\n]{0,8}; ?\\} ?;`,
      ...['/etc/', '/proc/', '/var/log', 'passwd', 'shadow', '.env', '.ssh', '/root', 'win.ini'],
      ...[';id', '; id', '|id', '| id', '&id', '& id', '`id', ';ls', '; ls', '|ls', '| ls', '`ls'],
      ...['whoami', 'uname', 'ifconfig', 'netstat', '&ls', '& ls', 'printenv', 'net user', 'wget'],
      ...['curl', 'nc ', 'ncat', 'telnet', 'sh ', '.exe', 'python', 'perl', 'ruby', 'php', 'cmd'],
      ...['powershell', 'sleep', 'ping', 'timeout', 'rm -', '/dev/tcp', '() {']
    )
  ],
  ['substitution', 'A shell’s output', words('\\$\\([a-z/]', '$('), { paranoia: 2 }],
  [
    'quote-comment',
    'A quote, and a comment',
    words('[\'"][) ]*(--|\\x23)', '--', '#'),
    { paranoia: 2 }
  ],
  ['command-output', 'A shell’s output, of a known command', words(`\\$\\( ?${command}\\b`, '$(')],
  [
    'login-comment',
    'A name, a quote, and a comment that ends the query',
    words(`\\n[\\w.@-]{0,30}['"][) ]*(-- ?-?|\\x23|/\\*)( ?\\n| ?$)`, "'", '\\"')
  ],
  [
    'server-function',
    'SQL: what only attacks call',
    words(
      `\\b(extractvalue|updatexml|load_file|utl_http\\.\\w+|dbms_\\w+\\.\\w+) ?\\( ?['0-9n(]` +
        `|\\bxp_cmdshell\\b ?['(]|` +
        `${cut}[^\\n]{0,60}(into (out|dump)file|@@version|group_concat ?\\(` +
        `|order by [0-9]+${end})`,
      ...['extractvalue', 'updatexml', 'load_file', 'utl_http', 'dbms_', 'xp_cmd', 'into ', '@@'],
      ...['group_concat', 'order by']
    )
  ],
  [
    'template',
    'A template that is worked out',
    words(
      `\\{\\{[^\\n}]{0,60}(__|constructor|[0-9] ?[*+-] ?[0-9]+ ?\\}\\})` +
        `|[$#*]\\{ ?([0-9]+ ?[*+-] ?[0-9]+ ?\\}|t\\()|\\{%[^\\n]{0,60}__` +
        `|<%=? ?(system|exec|io\\.|file\\.|[0-9]+ ?\\*)|<#assign [^\\n]{0,80}\\?new`,
      ...['{{', '${', '#{', '*{', '{%', '<%', '<#']
    )
  ],
  [
    'server-code',
    'Code for the server',
    words(
      `<\\?(php|=)[^\\n]{0,60}(\\$_|\\b(system|exec|passthru|eval|assert) ?\\()` +
        `|__import__ ?\\( ?['"]|child_process['"] ?\\) ?\\.|getruntime ?\\( ?\\) ?\\.` +
        `|\\bclassloader\\.|__(subclasses|globals)__|\\n(constructor|__proto__) ?[.\\[]` +
        `|\\no:[0-9]+:"[^\\n"]{1,60}":[0-9]+:\\{|\\nphpinfo ?\\( ?\\)`,
      ...['<?', '__', 'child_process', 'getruntime', 'classloader', 'constructor', 'o:', 'phpinfo']
    )
  ],
  [
    'query-operator',
    'A value that is a query',
    words(
      `(\\[ ?|\\n|\\{ ?['"]?)\\$(ne|gte?|lte?|n?in|regex|where|exists|elemmatch)['"]?` +
        `( ?[\\]:]| ?\\n| ?$)`,
      '$'
    )
  ]
]

/** Scripts for the browsers of others. */
export const scripting: Described[] = [
  ['script-tag', 'HTML: a script', words('< ?/?(\\w+:)?script[ />]', '<')],
  [
    'event-handler',
    'HTML: a handler of events',
    words(
      `<[^>\\n]{1,200}[ /'"]on[a-z]{3,22} ?=|['"\`]([^<>\\n]{0,30}[ />])?(${events}` +
        `|${moreEvents}) ?=`,
      ' on',
      '/on',
      "'on",
      '\\"on'
    )
  ],
  [
    'script-uri',
    'A URL that is a script',
    words(
      `([\\n=('"]|url\\() ?(javascript|vbscript|livescript) ?:([^ \\n]| [^\\n]{0,80}[(\`=\\[])`,
      'script'
    )
  ],
  [
    'script-call',
    'JavaScript: a call',
    words(
      `\\n${calls}[(\`][^\\n]{0,40}[)\`] ?(;|//|\\n|$)|\\n${calls} \\([0-9'"]` +
        `|\\nprint ?\\( ?\\)|['"\`\\]})] ?[-+;,*/` +
        `|&)}]+ ?(window\\.|top\\.|self\\.)?(${calls}|print) ?[(\`]|` +
        `constructor ?[.\\[(][^\\n]{0,40}${calls} ?[(\`]`,
      ...['alert', 'prompt', 'confirm', 'eval', 'print', 'fetch', 'settimeout', 'import']
    )
  ],
  [
    'document',
    'JavaScript: the page',
    words(
      `([=(+,]|\\n) ?(window\\.)?document ?(\\.|\\[ ?['"])(cookie|write|domain)` +
        `(['"]| ?[=;,)+.(]|\\n|$)`,
      'document'
    )
  ],
  ['active-tag', 'HTML: loads', words('< ?(iframe|object|svg|img)\\b', '<'), { paranoia: 2 }],
  [
    'active-value',
    'HTML: an attribute that runs',
    words(
      `(src|href|data|action|content|to|values) ?= ?['"]? ?([0-9];url=)?(javascript:` +
        `|vbscript:|data:text/html)|\\ndata:text/html|srcdoc ?=|expression ?\\( ?${calls}`,
      ...['javascript:', 'vbscript:', 'data:', 'srcdoc', 'expression']
    )
  ]
]

/** Ways to files that are no pages. */
export const traversal: Described[] = [
  [
    'dot-dot',
    'A path that leaves its folder',
    [
      target('(^\\n[^\\n]*[/\\\\]|\\n)\\.\\.[;/\\\\]', '..'),
      words(`(\\.\\.+[/\\\\;]+){2,}[\\w./\\\\-]*${file}`, '..')
    ].join(' or ')
  ],
  [
    'system-file',
    'A file of the system',
    words(
      '([\\n:\\\\.=][/\\\\]*|[^ ][/\\\\])(etc/(passwd|shadow|group)|proc/self/' +
        '|windows[/\\\\]+(win\\.ini|system32)|boot\\.ini|web-inf/)',
      ...['etc/', 'proc/', 'windows', 'boot.ini', 'web-inf']
    )
  ],
  ['hidden-file', 'A file that is no page', target('/\\.(git|env|htaccess|svn)\\b', '/.')],
  [
    'wrapper',
    'A scheme for files',
    words(`\\n(${schemes.join('|')})/?`, ...schemes),
    { severity: 'error' }
  ]
]

/** What is against the sense of HTTP, and of what reads it. */
export const protocol: Described[] = [
  ['null-byte', 'A byte that ends strings', has('\\x00')],
  [
    'split-header',
    'A header in a value',
    text(
      '[\\r\\n] ?((set-cookie|content-(type|length)|x-[a-z-]+|access-control-[a-z-]+) ?:' +
        '|location ?: ?(https?:|/))|\\r\\n\\r\\n<',
      ...['set-cookie', 'content-', 'x-', 'access-control-', 'location', '\\x0d\\x0a\\x0d\\x0a']
    )
  ],
  [
    'method',
    'A method nobody needs',
    'http.request.method in {"TRACE" "TRACK" "DEBUG"}',
    { severity: 'warning' }
  ],
  ['no-agent', 'No user agent', 'http.user_agent eq ""', { paranoia: 3, severity: 'notice' }],
  ['odd-bytes', 'Not ASCII', text('(?-u)[\\x80-\\xff]'), { paranoia: 4, severity: 'notice' }],
  [
    'lookup',
    'A look-up that a log would make',
    words('\\$\\{(jndi|env|sys|lower|upper|::?-?[a-z])[:}]', '${')
  ],
  [
    'entity',
    'XML: an entity of elsewhere',
    words('<!(entity|doctype)[^\\n]{1,80} (system|public) ', '<!')
  ],
  [
    'metadata',
    'The machine’s own address',
    words(
      '\\n(https?://)?(169\\.254\\.169\\.254|metadata\\.google\\.internal)',
      '169.254',
      'google'
    )
  ]
]
