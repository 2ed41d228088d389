import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { SERVER_FLAGS } from '#tools/serverProcess.mjs'

/** Keeps 100 MB for a moment, and ends when half of what that took is the system's again. */
const BURST = `
  import { keepNoSpareMemory } from './spareMemory.ts'
  let burst = Array.from({ length: 400_000 }, (_, index) => ({ index, values: new Array(24).fill(index) }))
  const atPeak = process.memoryUsage.rss()
  burst = undefined
  keepNoSpareMemory(20)
  setInterval(() => process.memoryUsage.rss() < atPeak / 2 && process.exit(0), 20)`

test('what a burst took is given back when the server is at rest', async () => {
  const flags = [...SERVER_FLAGS, '--input-type=module', '--eval', BURST]
  const child = spawn(process.execPath, flags, {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    stdio: 'inherit',
  })
  onTestFinished(() => void child.kill())
  expect(await once(child, 'exit')).toEqual([0, null])
})
