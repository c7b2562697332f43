import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Unit } from '../../../src/engine/unit.ts'
import { unitsFor } from './chosen-units.ts'
import type { Mutation } from './sites.ts'

const file = 'src/platform/waf/part.ts'
const other = 'src/platform/edge/part.ts'
const units = ['waf/a', 'waf/b', 'edge/c'].map(
  (scenario) => ({ scenario, key: '', clauses: ['waf.one'] }) as Unit
)
const honest = {
  start: { [file]: [[0, 10]] as [number, number][] },
  units: {
    'waf/a': {
      covered: { [file]: [[20, 30]] as [number, number][] },
      ms: 9,
      processorMs: 900,
      fails: [],
      open: []
    },
    'waf/b': {
      covered: { [file]: [[20, 40]] as [number, number][] },
      ms: 9,
      processorMs: 10,
      fails: [],
      open: []
    },
    'edge/c': {
      covered: { [other]: [[0, 90]] as [number, number][] },
      ms: 9,
      processorMs: 1,
      fails: [],
      open: []
    }
  }
}
const root = join(import.meta.dirname, '../../..')
const told = (start: number) => {
  const fault = { file, lineText: '', start, end: start + 2 } as Mutation
  const { units: found, isCovered } = unitsFor(fault, { units, honest, root })
  return [isCovered, ...found.map(({ scenario }) => scenario)]
}

test('those that run a place are asked, the cheap first', () => {
  expect(told(22)).toEqual([true, 'waf/b', 'waf/a'])
  expect(told(35)).toEqual([true, 'waf/b'])
  expect(told(50)).toEqual([false])
})

test('who shows what nobody before has shown is asked before who only costs less', () => {
  const one = (scenario: string, processorMs: number, end: number) => {
    const covered = {
      [file]: [
        [20, 40],
        [60, end]
      ] as [number, number][]
    }
    return [
      scenario,
      { covered, ms: 9, processorMs, fails: [] as string[], open: [] as string[] }
    ] as const
  }
  const alike = {
    start: {},
    units: Object.fromEntries([one('waf/a', 90, 900), one('waf/b', 10, 61), one('edge/c', 20, 61)])
  }
  const fault = { file, lineText: '', start: 22, end: 24 } as Mutation
  const { units: found } = unitsFor(fault, { units, honest: alike, root })
  expect(found.map(({ scenario }) => scenario)).toEqual(['waf/a', 'waf/b', 'edge/c'])
})

test('what runs at the start may be seen by all, of whom those near it come first', () => {
  expect(told(5)).toEqual([true, 'waf/b', 'waf/a', 'edge/c'])
})

test('code of functions is asked about by those who start one, and by nobody else', () => {
  const isolate = 'src/platform/functions/isolate'
  const one = (scenario: string, own: string) => {
    const covered = { [`${isolate}/${own}.ts`]: [[0, 9]] as [number, number][] }
    return [
      scenario,
      { covered, ms: 9, processorMs: 9, fails: [] as string[], open: [] as string[] }
    ] as const
  }
  // What keeps processes in order runs all the time, whoever is asked.
  const all = [one('waf/a', 'isolates'), one('waf/b', 'watch'), one('edge/c', 'process')]
  const alike = { start: {}, units: Object.fromEntries(all) }
  const fault = { file: `${isolate}/guest/turns.ts`, lineText: '', start: 22, end: 24 } as Mutation
  const { units: found } = unitsFor(fault, { units, honest: alike, root })
  expect(found.map(({ scenario }) => scenario)).toEqual(['waf/a'])
})

test('of those who start a function, who is known to run the very place is asked first', () => {
  const isolate = 'src/platform/functions/isolate'
  const one = (scenario: string, end: number) => {
    const stretch: [number, number][] = [[0, end]]
    const covered = { [`${isolate}/isolates.ts`]: stretch, [`${isolate}/guest/turns.ts`]: stretch }
    return [
      scenario,
      { covered, ms: 9, processorMs: end, fails: [] as string[], open: [] as string[] }
    ] as const
  }
  const alike = {
    start: {},
    units: Object.fromEntries([one('waf/a', 9), one('waf/b', 90), one('edge/c', 8)])
  }
  const fault = { file: `${isolate}/guest/turns.ts`, lineText: '', start: 22, end: 24 } as Mutation
  const { units: found } = unitsFor(fault, { units, honest: alike, root })
  expect(found.map(({ scenario }) => scenario)).toEqual(['waf/b', 'waf/a', 'edge/c'])
})

test('who bears the name of the file is asked before who shows more of it', () => {
  const one = (scenario: string, end: number) => {
    const covered = { [file]: [[20, end]] as [number, number][] }
    return [
      scenario,
      { covered, ms: 9, processorMs: 9, fails: [] as string[], open: [] as string[] }
    ] as const
  }
  const alike = {
    start: {},
    units: Object.fromEntries([one('waf/a', 40), one('waf/b', 30), one('edge/c', 20)])
  }
  const named = units.map((unit) =>
    unit.scenario === 'waf/b' ? { ...unit, clauses: ['waf.parts-kept'] } : unit
  )
  const fault = { file, lineText: '', start: 22, end: 24 } as Mutation
  const { units: found } = unitsFor(fault, { units: named, honest: alike, root })
  expect(found.map(({ scenario }) => scenario)).toEqual(['waf/b', 'waf/a'])
})

test('who is named as the line names things is asked before all others', () => {
  const named = units.map((unit) =>
    unit.scenario === 'waf/a' ? { ...unit, clauses: ['waf.one-more'] } : unit
  )
  const fault = { file, start: 22, end: 24, lineText: '  oneMoreMs: 30,' } as Mutation
  const { units: found } = unitsFor(fault, { units: named, honest, root })
  expect(found.map(({ scenario }) => scenario)).toEqual(['waf/a', 'waf/b'])
})

test('who shows the most without bearing the name has the second turn', () => {
  const one = (scenario: string, end: number) => {
    const covered = { [file]: [[20, end]] as [number, number][] }
    return [
      scenario,
      { covered, ms: 9, processorMs: 9, fails: [] as string[], open: [] as string[] }
    ] as const
  }
  const alike = {
    start: {},
    units: Object.fromEntries([one('waf/a', 30), one('waf/b', 25), one('edge/c', 40)])
  }
  const named = units.map((unit) =>
    unit.scenario === 'edge/c' ? unit : { ...unit, clauses: ['waf.parts-kept'] }
  )
  const fault = { file, lineText: '', start: 22, end: 24 } as Mutation
  const { units: found } = unitsFor(fault, { units: named, honest: alike, root })
  expect(found.map(({ scenario }) => scenario)).toEqual(['waf/a', 'edge/c', 'waf/b'])
})

test('of functions the plainest question is asked first, by whoever runs the place', () => {
  const mute = 'src/platform/functions/dispatch.ts'
  const covered = { [mute]: [[20, 40]] as [number, number][] }
  const one = { covered, ms: 9, processorMs: 9, fails: [], open: [] }
  const dear = { ...one, processorMs: 900 }
  const alike = { start: {}, units: { 'functions/dispatch': one, 'functions/answers': dear } }
  const asked = Object.keys(alike.units).map(
    (scenario) => ({ scenario, key: '', clauses: ['a'] }) as unknown as Unit
  )
  const found = (file: string) =>
    unitsFor({ lineText: '', file, start: 22, end: 24 } as Mutation, {
      units: asked,
      honest: alike,
      root
    }).units
  expect(found(mute).map(({ scenario }) => scenario)).toEqual([
    'functions/answers',
    'functions/dispatch'
  ])
})
