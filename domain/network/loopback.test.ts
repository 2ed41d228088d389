import { expect, test } from 'vitest'
import { isLoopback } from './loopback.ts'

test.each(['127.0.0.1', '127.8.0.1', '::1', 'localhost', '::ffff:127.0.0.1'])(
  '%s is reached from the same machine alone',
  (host) => expect(isLoopback(host)).toBe(true),
)

test.each(['0.0.0.0', '::', '10.0.0.1', 'wayside.example.org', 'localhost.example.org', '128.0.0.1'])(
  '%s is, or may be, reached from elsewhere',
  (host) => expect(isLoopback(host)).toBe(false),
)
