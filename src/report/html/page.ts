import { createHash } from 'node:crypto'
import { oneLine } from '../printable.ts'
import { type Markup, markup, verbatim } from './markup.ts'
import { stylesheet } from './stylesheet.ts'

const hash = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`

/** Our sign: a circle crossed by the water line. */
export const logo = markup`<svg viewBox="0 0 32 32" aria-hidden="true" fill="none"
stroke="currentColor" stroke-width="3"><circle cx="16" cy="16" r="10"/><path d="M1 16h30"/></svg>`

/**
 * A page that needs nothing else, no network above all. Its policy lets nothing run or load besides
 * the stylesheet and, where there is one, the script given; with `connects` that may ask where the
 * page came from.
 */
export function page(parts: {
  title: string
  body: Markup
  script?: string
  connects?: boolean
}): string {
  const { title, body, script, connects = false } = parts
  const styles = `style-src '${hash(stylesheet)}'`
  const scripts = script === undefined ? [] : [`script-src '${hash(script)}'`]
  const connections = connects ? ["connect-src 'self'"] : []
  const policy = ["default-src 'none'", styles, ...scripts, ...connections].join('; ')
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${verbatim(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${oneLine(title, 150)}</title>
<style>${verbatim(stylesheet)}</style>
</head>
<body>
${body}
${script !== undefined && markup`<script>${verbatim(script)}</script>`}
</body>
</html>
`.markup
}
