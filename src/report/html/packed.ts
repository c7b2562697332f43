import { deflateRawSync } from 'node:zlib'
import { type Markup, verbatim } from './markup.ts'

/** What stands in closed cards, as one text that a browser unpacks once the first is opened. */
export function packed(insides: readonly Markup[]): Markup {
  const text = JSON.stringify(insides.map(({ markup }) => markup))
  const bytes = deflateRawSync(text, { level: 9 }).toString('base64').replace(/=+$/, '')
  return verbatim(`<template id="packed">${bytes}</template>`)
}
