import { expect, test } from 'vitest'
import { plainHosts } from './plainHosts.ts'

test('plain text listens within the machine, but for what was asked for by name', () => {
  const wide = { bindAddress: '0.0.0.0' }
  expect(plainHosts({ ...wide, plaintext: [] })).toEqual({ http: '127.0.0.1', mqtt: '127.0.0.1' })
  expect(plainHosts({ ...wide, plaintext: ['http'] })).toEqual({ http: '0.0.0.0', mqtt: '127.0.0.1' })
  expect(plainHosts({ bindAddress: '::1', plaintext: [] })).toEqual({ http: '::1', mqtt: '::1' })
})
