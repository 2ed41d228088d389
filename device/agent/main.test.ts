import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { GUID, temporaryFolder } from '#device/testing/testAgent.ts'
import { startTestBroker, until } from '#device/testing/testBroker.ts'

const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

function runAgent(...words: string[]) {
  const main = new URL('./main.ts', import.meta.url).pathname
  const child = spawn(process.execPath, [main, ...words])
  children.push(child)
  const output = { out: '', error: '' }
  child.stdout.on('data', (data) => {
    output.out += data
  })
  child.stderr.on('data', (data) => {
    output.error += data
  })
  return { child, output, exit: once(child, 'close').then(([code]) => Number(code)) }
}

function configurationFor(mqttUrl: string): string {
  const file = join(temporaryFolder(), 'device.json')
  const content = { guid: GUID, key: 'secret-key', mqttUrl, httpUrl: 'http://127.0.0.1', name: 'Here', modelId: 22 }
  writeFileSync(file, JSON.stringify(content))
  return file
}

test('the agent reports this machine, keeps its store to itself, ends cleanly and never tells its key', async () => {
  const broker = await startTestBroker()
  const config = configurationFor(broker.url)
  const agent = runAgent('--config', config)
  await until(() => broker.reports.some(({ values }) => 'memory_used' in values), 'a report of this machine')
  expect(new Set(broker.reports.map(({ topic }) => topic))).toEqual(new Set(['events/device']))

  const second = runAgent('--config', config)
  expect(await second.exit).toBe(1)
  expect(second.output.error).toMatch(/^Another agent is already running on .*\n$/)

  agent.child.kill('SIGTERM')
  expect(await agent.exit).toBe(0)
  expect(agent.output.out + agent.output.error).not.toContain('secret-key')
  expect(statSync(join(config, '..', 'wayside-agent')).mode & 0o077).toBe(0)
  await broker.stop()
})

test('a pretend agent reports everything that its model has', async () => {
  const broker = await startTestBroker()
  const agent = runAgent('--config', configurationFor(broker.url), '--driver', 'pretend')
  await until(() => new Set(broker.reports.map(({ topic }) => topic)).size === 6, 'six components')
  agent.child.kill('SIGTERM')
  await agent.exit
  await broker.stop()
})

test('what is wrong with the command line or the file is said in words, with exit code 1', async () => {
  const without = runAgent()
  const missing = runAgent('--config', '/nowhere.json')
  const strange = runAgent('--config', configurationFor('mqtt://127.0.0.1:9'), '--driver', 'magic')
  const faulty = runAgent('--config', configurationFor('mqtt://127.0.0.1:9'), '--driver', 'pretend', '--fault', 'rust')
  expect(await Promise.all([without.exit, missing.exit, strange.exit, faulty.exit])).toEqual([1, 1, 1, 1])
  expect(faulty.output.error).toMatch(/^--fault is "rust", but must be one of: overheating, .*, clientUpdateFails\.\n$/)
  expect(without.output.error).toMatch(/^Usage: npm run agent/)
  expect(missing.output.error).toBe('Cannot read /nowhere.json: ENOENT.\n')
  expect(strange.output.error).toBe('--driver is "magic", but must be one of: pretend, host.\n')
})
