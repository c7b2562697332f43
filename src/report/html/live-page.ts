import { liveScript } from './live-script.ts'
import { markup } from './markup.ts'
import { logo, page } from './page.ts'

/** The page on which a person sees a command while it goes on; it becomes the report at its end. */
export function livePage(command: string): string {
  return page({
    title: `${command} · Plimsoll`,
    script: liveScript,
    connects: true,
    body: markup`<header>
<p class="brand">${logo} Plimsoll <span>${command} <span id="target"></span></span></p>
<h1 class="observed">Under way</h1>
<p class="lead"><span id="elapsed">0 s</span>, <span id="now" role="status">beginning</span></p>
<p><button type="button" id="stop" class="stop">Stop</button></p>
<p id="tally"></p>
<p id="forgotten"></p>
</header>
<main>
<section id="loads" aria-label="Loads"></section>
<ul id="wrong" tabindex="0" class="live" aria-label="What is not well"></ul>
<ul id="sections" class="chapters" aria-label="The document"></ul>
<ul id="verdicts" class="live" aria-label="The last verdicts"></ul>
</main>`
  })
}
