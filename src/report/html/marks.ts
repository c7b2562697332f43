import { type Markup, markup } from './markup.ts'

const shapes = {
  accepted: markup`<circle r="4"/>`,
  rejected: markup`<path d="M-3.5-3.5 3.5 3.5M3.5-3.5-3.5 3.5"/>`,
  unclear: markup`<circle r="3.5"/>`
}

/** What a mark stands for: a dot for yes, a cross for no, a ring for what tells nothing. */
export type MarkKind = keyof typeof shapes

const round = (value: number) => Math.round(value * 100) / 100

/** A mark in a drawing, with what it says when it is pointed at; `x` is in percent. */
export function mark(
  kind: MarkKind,
  at: { x: number; y: number; manner?: string; title: string }
): Markup {
  const { x, y, manner = kind, title } = at
  return markup`<svg class="asked ${manner}" x="${round(x)}%" y="${round(y)}" overflow="visible">
<title>${title}</title>${shapes[kind]}</svg>`
}

/** What the marks of a drawing mean, each beside its meaning. */
export function markKeys(keys: readonly (readonly [manner: string, meaning: string])[]): Markup {
  return markup`${keys.map(([manner, meaning]) => {
    const kind = manner.split(' ')[0] as MarkKind
    return markup`<span class="mark"><svg width="12" height="12" viewBox="-6 -6 12 12"
aria-hidden="true"><g class="key-mark asked ${manner}">${shapes[kind]}</g></svg> ${meaning}</span> `
  })}`
}
