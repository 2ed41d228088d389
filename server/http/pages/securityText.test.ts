import { expect, test } from 'vitest'
import { apiTest } from '#server/testing/apiTest.ts'
import { startApi } from '#server/testing/callers.ts'

const api = await apiTest({
  config: { securityContact: 'mailto:security@example.org', publicUrl: 'https://signs.example.org' },
})
const url = '/.well-known/security.txt'

test('whoever found a weakness is told whom to write to, by RFC 9116, and that it is still valid', async () => {
  const { statusCode, headers, body } = await api.app.inject({ url })
  expect([statusCode, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8'])
  const expires = /^Expires: (\S+)$/m.exec(body)?.[1] ?? ''
  expect(body).toBe(
    `Contact: mailto:security@example.org\nExpires: ${expires}\nPreferred-Languages: en\nCanonical: https://signs.example.org${url}\n`,
  )
  const days = (Date.parse(expires) - Date.now()) / 86_400_000
  expect(days > 80 && days < 365).toBe(true)
})

test('without a contact there is no such file', async () => {
  const silent = await startApi({ on: api })
  expect((await silent.app.inject({ url })).statusCode).toBe(404)
  await silent.stop()
})
