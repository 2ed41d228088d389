import { expect, test } from 'vitest'
import { refusalOf } from './refusal.ts'

const fault = (code: string, message: string) => Object.assign(new Error(message), { code })

test('who asks for readings of a machine that is away hears that, and not that the whole server is', () => {
  const away = refusalOf(
    fault('08006', 'connection to the remote node wayside_app@10.0.0.2:5432 failed with the following error: …'),
  )
  expect([away.status, away.code, away.retryAfterSeconds]).toEqual([503, 'not_ready', 2])
  expect(away.message).toMatch(/^A machine that keeps these readings does not answer\. Everything else goes on/)
  expect(refusalOf(fault('08006', 'the connection was lost')).message).toBe(
    'The server is not ready. Please try again in a moment.',
  )
})
