import { expect, test, vi } from 'vitest'
import { guestCode } from '../../../../src/platform/functions/isolate/guest-code.ts'

test('a guest is given all that its modules import, as JavaScript', () => {
  const warn = vi.spyOn(process, 'emitWarning')
  const { modules, main } = guestCode()
  expect(warn).not.toHaveBeenCalled()
  expect(Object.keys(modules)).toContain(main)
  for (const [address, source] of Object.entries(modules)) {
    expect(source).not.toMatch(/^(import|export) type /m)
    for (const [, specifier] of source.matchAll(/^(?:import|export) [^;]*? from '(\.[^']+)'/gm))
      expect(Object.keys(modules)).toContain(new URL(specifier!, address).href)
  }
})
