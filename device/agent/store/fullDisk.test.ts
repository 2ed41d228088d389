import { execFileSync, spawnSync } from 'node:child_process'
import { appendFileSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startTestAgent, type TestAgent, temporaryFolder } from '#device/testing/testAgent.ts'
import { startTestBroker, until } from '#device/testing/testBroker.ts'

const MEGABYTE = 1024 * 1024

/** Mounts a disk in memory; undefined if mounting is not permitted. */
function smallDisk(): string | undefined {
  const folder = join(temporaryFolder(), 'disk')
  mkdirSync(folder)
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', folder]).status !== 0) return undefined
  onTestFinished(() => void execFileSync('umount', ['--lazy', folder]))
  return folder
}

/** Fills the disk to the last byte. @returns a function that frees it */
function fill(folder: string): () => void {
  const file = join(folder, 'filler')
  for (let bytes = MEGABYTE; bytes >= 1; ) {
    try {
      appendFileSync(file, Buffer.alloc(bytes))
    } catch {
      bytes = Math.floor(bytes / 2)
    }
  }
  return () => rmSync(file)
}

const byTime = (one: { readonly at: string }, other: { readonly at: string }) =>
  Date.parse(one.at) - Date.parse(other.at)

test('an agent whose disk is full sends what it measures, says so once, starts on it, and keeps again later', {
  timeout: 60_000,
}, async ({ skip }) => {
  const disk = smallDisk()
  if (disk === undefined) return skip('nobody may mount a small disk here')
  const broker = await startTestBroker()
  onTestFinished(() => broker.stop())
  const begin = (clientVersion: string) =>
    startTestAgent({ url: broker.url, folder: disk, countsStarts: true, clientVersion })
  const said = (words: string) => broker.messages.filter(({ msg }) => msg.includes(words)).length
  /** Uses the newest report, because older ones may be repeated after it. */
  const outlet = () =>
    broker.reports
      .filter(({ topic }) => topic === 'events/power-switch')
      .toSorted(byTime)
      .at(-1)?.values['port1_status']
  const switched = async ({ hardware }: TestAgent, isOn: boolean) => {
    await hardware.powerSwitch()?.set(1, isOn)
    await until(() => outlet() === Number(isOn), 'what was switched is reported')
  }

  const first = begin('1.2.3')
  await switched(first, false)
  const free = fill(disk)
  await until(() => said('The disk takes nothing (database or disk is full)') === 1, 'said')
  await switched(first, true)
  await switched(first, false)
  // The wait is longer than the time between two attempts to write.
  await until(() => said('The disk takes nothing') > 1, 'said twice', 2_500).catch(() => undefined)
  expect(said('The disk takes nothing')).toBe(1)

  // What is measured without the server waits for it in memory.
  await broker.stop()
  await first.hardware.powerSwitch()?.set(1, true)
  await until(() => !first.agent.isUp(), 'disconnected')
  await broker.start()
  await until(() => outlet() === 1, 'it comes all the same')
  await first.stop()

  // The store must also keep that this version has run.
  const second = begin('1.2.4')
  await until(() => said('The disk takes nothing') === 2, 'said by the next start')
  await switched(second, false)
  free()
  await until(() => said('The disk takes what is to be kept again.') === 1, 'said')
  await switched(second, true)
  expect(second.log.filter((line) => line.includes('failed'))).toEqual([])
  await second.stop()
})
