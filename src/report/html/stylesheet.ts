import { outcomes } from '../../verdict/outcome.ts'

/** One colour an outcome, as it is on light and on dark paper; both reach 4.5:1 on theirs. */
const colours: Record<(typeof outcomes)[number], [light: string, dark: string]> = {
  fail: ['#b3261e', '#ff8a80'],
  warning: ['#a8420f', '#ffab7a'],
  error: ['#7b3fb5', '#cfa6ff'],
  inconclusive: ['#8a5d00', '#e8b849'],
  blocked: ['#99480a', '#f2a56b'],
  changed: ['#0b6b7d', '#5cc8dc'],
  deviation: ['#5c6400', '#c6cf5e'],
  observed: ['#2459a9', '#8ab4f8'],
  pass: ['#17714a', '#5fca94'],
  inapplicable: ['#5f6873', '#9aa4af'],
  untested: ['#5f6873', '#9aa4af']
}

const perOutcome = outcomes
  .map((outcome) => {
    const [light, dark] = colours[outcome]
    return `.${outcome} { --tone: light-dark(${light}, ${dark}) }
body:has(#show-${outcome}:not(:checked)) main [data-outcome='${outcome}'] { display: none }`
  })
  .join('\n')

/** The page's only stylesheet. */
export const stylesheet = `
:root {
  color-scheme: light dark;
  --paper: light-dark(#f7f6f2, #10161d);
  --sheet: light-dark(#ffffff, #18202a);
  --ink: light-dark(#16202b, #e7ebef);
  --quiet: light-dark(#56616d, #a2adb9);
  --rule: light-dark(#dedbd3, #2c3743);
  --mark: light-dark(#2459a9, #8ab4f8);
  --mono: ui-monospace, 'SF Mono', 'Cascadia Mono', 'DejaVu Sans Mono', Menlo, monospace;
}
* { box-sizing: border-box }
[hidden] { display: none !important }
body {
  margin: 0 auto; max-width: 66rem; padding: 2.5rem 1.5rem 4rem;
  background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, 'Segoe UI', sans-serif;
  font-variant-numeric: tabular-nums; overflow-wrap: anywhere;
}
a { color: var(--mark) }
:focus-visible { outline: 2px solid var(--mark); outline-offset: 2px; border-radius: 4px }
code, pre { font-family: var(--mono); font-size: .875em }
.skip { position: absolute; left: -99rem }
.skip:focus { left: 1rem; top: 1rem }

.brand {
  display: flex; align-items: center; gap: .6rem; margin: 0; font-weight: 600;
  overflow-wrap: break-word;
}
.brand svg { flex: none; width: 1.6rem; height: 1.6rem }
.brand span { min-width: 0; color: var(--quiet); font-weight: 400 }
h1 {
  margin: 1.6rem 0 .2rem; color: var(--tone);
  font-size: clamp(1.9rem, 6vw, 2.9rem); line-height: 1.1; letter-spacing: -.025em;
}
h1::first-letter { text-transform: uppercase }
.told { margin: .6rem 0 .8rem; overflow-wrap: anywhere }
.told::first-letter { text-transform: uppercase }
.lead { margin: 0 0 1.8rem; color: var(--quiet) }
.notice {
  margin: 0 0 1.5rem; padding: .6rem 1rem; border-radius: 6px;
  border-left: 4px solid var(--tone); background: var(--sheet);
}

.coverage { margin: 0 0 2rem }
.coverage svg { display: block; border-radius: 5px; background: var(--rule) }
.coverage rect { fill: var(--tone); stroke: var(--paper) }
.coverage figcaption { margin-top: .5rem; color: var(--quiet); font-size: .9375rem }

.controls {
  position: sticky; top: 0; z-index: 1; padding: .75rem 0;
  background: var(--paper); border-bottom: 1px solid var(--rule);
}
.controls fieldset { display: flex; flex-wrap: wrap; gap: .4rem; border: 0; margin: 0; padding: 0 }
.controls legend { position: absolute; left: -99rem }
.pill {
  display: inline-flex; align-items: center; gap: .4rem; padding: .2rem .7rem;
  border: 1px solid var(--tone); border-radius: 99px; color: var(--tone);
  font-size: .875rem; cursor: pointer; user-select: none;
}
.pill input { position: absolute; opacity: 0; pointer-events: none }
.pill b { font-weight: 650 }
.pill:has(input:not(:checked)) {
  border-color: var(--rule); border-style: dashed; color: var(--quiet);
}
.pill:has(input:focus-visible) { outline: 2px solid var(--mark); outline-offset: 2px }
.search { display: flex; flex-wrap: wrap; align-items: center; gap: .75rem; margin-top: .6rem }
.search input {
  flex: 1 1 14rem; min-width: 0; padding: .45rem .8rem; border: 1px solid var(--rule);
  border-radius: 8px; background: var(--sheet); color: var(--ink); font: inherit;
}
.search output { color: var(--quiet); font-size: .875rem }

h2 { margin: 2.2rem 0 0; font-size: 1.125rem }
h2 b { text-transform: capitalize }
h2 .sign { color: var(--tone) }
h2 small { color: var(--quiet); font-weight: 400 }
.group > summary, .chapter > summary { cursor: pointer; list-style: none }
.group > summary::-webkit-details-marker, .chapter > summary::-webkit-details-marker {
  display: none;
}
.group > summary h2 { display: inline-block }
.group > summary::after, .chapter > summary::after { content: ' ▸'; color: var(--quiet) }
.group[open] > summary::after, .chapter[open] > summary::after { content: ' ▾' }
.group li:nth-child(n + 30) { content-visibility: auto; contain-intrinsic-size: auto 2.8rem }
.unasked { padding: .5rem .9rem; border-left: 4px solid var(--tone) }
.unasked p { margin: .2rem 0 }
.unasked .names { font-size: .9375rem }
.meaning { margin: 0 0 .8rem; color: var(--quiet); font-size: .9375rem }
main ul { list-style: none; margin: 0; padding: 0 }
.verdict {
  margin-bottom: .35rem; border: 1px solid var(--rule); border-left: 4px solid var(--tone);
  border-radius: 6px; background: var(--sheet); scroll-margin-top: 9rem;
}
.verdict > summary {
  display: flex; flex-wrap: wrap; gap: 0 1rem; align-items: baseline;
  padding: .5rem 2.2rem .5rem .9rem; cursor: pointer; list-style: none; position: relative;
}
.verdict > summary::-webkit-details-marker { display: none }
.verdict > summary::after {
  content: ''; position: absolute; right: 1rem; top: 1.05rem; width: .45rem; height: .45rem;
  border: solid var(--quiet); border-width: 0 1.5px 1.5px 0; transform: rotate(45deg);
}
.verdict[open] > summary::after { transform: translateY(.2rem) rotate(-135deg) }
.verdict > summary code { font-weight: 600 }
.verdict > summary span {
  flex: 1 1 20rem; min-width: 0; color: var(--quiet); font-size: .9375rem;
  overflow: hidden; text-overflow: ellipsis; white-space: nowrap;
}
.verdict[open] > summary span { visibility: hidden }
.inside { padding: .2rem .9rem 1rem; border-top: 1px solid var(--rule) }
dl { display: grid; grid-template-columns: 7.5rem 1fr; gap: .3rem 1rem; margin: .8rem 0 }
dt { color: var(--quiet) }
dd { margin: 0 }
dd.said { white-space: pre-wrap }
dd.because { font-weight: 600 }
.chapters {
  display: grid; grid-template-columns: repeat(auto-fill, minmax(min(20rem, 100%), 1fr));
  gap: .6rem; align-items: start;
}
.chapter[open] { grid-column: 1 / -1 }
.chapter { border: 1px solid var(--rule); border-radius: 6px }
.chapter > summary { padding: .45rem .9rem; background: var(--sheet); border-radius: 6px }
.chapter > summary h3 { display: inline; margin: 0 }
.chapter > summary svg { display: block; margin: .35rem 0; border-radius: 3px }
.chapter > summary svg, .coverage svg { background: var(--rule); overflow: hidden }
.chapter rect { fill: var(--tone) }
.share { margin-right: .6em; color: var(--tone); white-space: nowrap }
.quoted li {
  margin: .5rem .9rem; padding: .1rem .9rem; border-left: 4px solid var(--tone);
  scroll-margin-top: 9rem;
}
.quoted li:target { background: var(--sheet); outline: 2px solid var(--mark) }
.quoted p { margin: 0 }
.quoted small { color: var(--quiet) }
.quoted .sign { color: var(--tone) }
.command { user-select: all }
.copy {
  margin-left: .6rem; padding: 0 .5rem; border: 1px solid var(--rule); border-radius: 5px;
  background: var(--sheet); color: var(--mark); font: inherit; font-size: .8125rem; cursor: pointer;
}

figure { margin: 1rem 0 }
figcaption { color: var(--quiet); font-size: .9375rem }
svg { overflow: visible }
svg text { fill: var(--quiet); font-size: 12px }
svg text { paint-order: stroke; stroke: var(--paper); stroke-width: 3px; stroke-linejoin: round }
.verdict svg text { stroke: var(--sheet) }
.line text.value { fill: var(--ink); font-weight: 600; font-size: 13px }
/* Room on the left for what an axis says, so that no curve runs through it. */
svg.framed { display: block; margin-left: 4.6rem; width: calc(100% - 4.6rem) }
.framed text.on-axis { text-anchor: end }
.keys { margin: 0; color: var(--quiet); font-size: .9375rem }
.mark { display: inline-block; margin-right: 1.2rem }
.axis { stroke: var(--mark); stroke-width: 2 }
.axis.beyond { stroke: var(--quiet); stroke-dasharray: 2 4 }
.boundary { stroke: var(--ink); stroke-width: 1.5 }
.band { fill: var(--mark); opacity: .14 }
.asked.accepted { fill: var(--mark) }
.asked.rejected { stroke: var(--ink); stroke-width: 1.8; fill: none }
.asked.improper { stroke: light-dark(#b3261e, #ff8a80) }
.asked.unclear { stroke: var(--quiet); stroke-width: 1.5; fill: var(--sheet) }
.curve { padding: 1.2rem 0 0 }
.grid { stroke: var(--rule) }
.curve polyline { fill: none; stroke-width: 2; vector-effect: non-scaling-stroke }
.curve .response, .key.response { --line: light-dark(#2459a9, #8ab4f8) }
.curve .service { --line: light-dark(#b8651b, #f2a56b) }
.curve .failed { --line: light-dark(#b3261e, #ff8a80) }
.curve .unsent { --line: var(--quiet) }
.curve polyline.unsent { stroke-dasharray: 2 3 }
.curve polyline { stroke: var(--line) }
.happened { fill: var(--line); opacity: .22 }
.happened.ramp, .key.ramp { --line: light-dark(#2459a9, #8ab4f8) }
.happened.gc, .key.gc { --line: light-dark(#b8651b, #f2a56b) }
.happened.stop, .key.stop { --line: light-dark(#b3261e, #ff8a80) }
.happened.gc, .happened.stop { opacity: .6 }
.key.strip::before { border-top-width: 8px; opacity: .5 }
.time .curve { padding: 0; margin: .8rem 0 .3rem }
.time svg.framed { margin-top: .3rem }
.time .span { margin-left: 4.6rem }
.span { display: flex; justify-content: space-between; margin: 0 }
.span { color: var(--quiet); font-size: .875rem }
.drift small { color: var(--quiet); font-weight: 400 }
.curve .slope, .key.slope { --line: light-dark(#b8651b, #f2a56b) }
.drift .step { stroke: var(--quiet); stroke-dasharray: 4 3 }
button.stop {
  padding: .3rem 1.2rem; border: 1px solid var(--rule); border-radius: 6px;
  background: var(--sheet); color: var(--mark); font: inherit; cursor: pointer;
}
ul.live { max-height: 24rem; margin: 1rem 0; overflow: auto }
ul.live li { padding: .15rem .8rem; border-left: 4px solid var(--tone) }
ul.live li { white-space: pre-line }
ul.live b { color: var(--tone) }
ul.chapters rect { fill: var(--tone) }
ul.chapters svg { display: block; margin: .3rem 0; background: var(--rule) }
/* Not opacity: neighbours must stay visible where they overlap. */
.pair { fill: var(--mark); stroke: var(--paper); stroke-width: .5 }
.pair.again { fill: light-dark(#b8651b, #f2a56b) }
.budget { stroke: light-dark(#b3261e, #ff8a80); stroke-dasharray: 5 4 }
.levels .worse { --tone: light-dark(#b3261e, #ff8a80) }
.levels .better { --tone: light-dark(#1b6e3c, #7fd39b) }
.levels .worse, .levels .better { fill: var(--tone) }
.levels rect { opacity: .16 }
.event { stroke: var(--quiet); stroke-dasharray: 2 3 }
.key { display: inline-block; margin-right: 1.5rem }
.key::before {
  content: ''; display: inline-block; width: 1.2rem; height: 0; margin-right: .5rem;
  border-top: 2px solid var(--line); vertical-align: middle;
}

.evidence, .exchange { margin: .4rem 0 }
.evidence > summary, .exchange > summary { cursor: pointer; color: var(--quiet) }
.exchange { margin-left: 1rem }
.exchange > summary code { color: var(--ink) }
.observation { margin: .6rem 0 }
.observation p { margin: 0 }
.evidence h3 { margin: 1rem 0 .2rem; font-size: .9375rem }
pre {
  max-height: 22rem; margin: .4rem 0; padding: .7rem .9rem; overflow: auto;
  border-radius: 6px; background: var(--paper); white-space: pre-wrap;
}
.scroll { overflow-x: auto }
table { border-collapse: collapse; margin: .6rem 0; font-size: .9375rem; overflow-wrap: normal }
th, td { padding: .25rem 1.2rem .25rem 0; border-bottom: 1px solid var(--rule); text-align: left }
th { font-weight: 600; color: var(--quiet); white-space: nowrap }
table.numbers { white-space: nowrap }
h3 { margin: 1.6rem 0 0; font-size: 1rem }
footer { margin-top: 3.5rem; border-top: 1px solid var(--rule); font-size: .9375rem }

@media (min-width: 84rem) {
  body { max-width: 84rem }
}
@media (max-width: 36rem) {
  body { padding: 1.5rem 1rem 3rem }
  .controls { position: static }
  dl { grid-template-columns: 1fr; gap: 0 }
  dd { margin-bottom: .6rem }
  .verdict > summary span { white-space: normal; flex-basis: 100% }
  .verdict[open] > summary span { display: none }
}
@media print {
  .controls, .skip { display: none }
  .verdict { break-inside: avoid }
}
${perOutcome}
`
