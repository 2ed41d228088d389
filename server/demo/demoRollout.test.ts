import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { verifyRelease } from '#domain/releases/verifyRelease.ts'
import { openDatabase } from '#server/db/database.ts'
import { createAudit } from '#server/http/call/audit.store.ts'
import { becomes, clientFixture } from '#server/testing/wholeServer/clientFixture.ts'
import { demoReleaseKey, demoVersions, makeDemoReleases } from './demoReleases.ts'
import { createDemoRolloutStore } from './demoRollout.store.ts'
import { beginDemoRollout } from './demoRollout.ts'

const demo = mkdtempSync(join(tmpdir(), 'wayside-demo-releases-'))
afterAll(() => rmSync(demo, { recursive: true }))

test('the demo signs two releases with a key of its own, which every later start knows again', async () => {
  const key = await demoReleaseKey(demo)
  expect(await demoReleaseKey(demo)).toBe(key)
  expect(statSync(join(demo, 'release-key.pem')).mode & 0o777).toBe(0o600)
  const versions = await demoVersions()
  const releases = join(demo, 'taken')
  await makeDemoReleases(versions, { demo, releases }, new AbortController().signal)
  // The launcher is no release, and would be refused there.
  const names = readdirSync(releases).sort()
  expect(names).toEqual([`wayside-client-${versions.present}.mjs`, `wayside-client-${versions.next}.mjs`])
  for (const [index, version] of [versions.present, versions.next].entries()) {
    const verdict = await verifyRelease(readFileSync(join(releases, names[index] ?? '')), [key])
    expect(verdict).toMatchObject({ release: { version } })
  }
})

test('an update of the demo halts in its first wave, in which one device fails; it is begun once', async () => {
  const fixture = await clientFixture({ devices: 5 })
  try {
    const [one, two, fails] = fixture.devices
    if (!one || !two || !fails) throw new Error('There are no devices.')
    fails.temper = 'fails'
    const db = openDatabase(fixture.owner)
    const begin = (signal = new AbortController().signal) =>
      beginDemoRollout({
        store: createDemoRolloutStore(db),
        db,
        audit: createAudit(db),
        versions: { present: '1.0.0', next: '1.0.1' },
        makeReleases: async () => void (await fixture.upload('1.0.1')),
        firstGroup: [one, two, fails].map(({ device }) => device.guid),
        by: 'admin@staff.example',
        signal,
      })
    for (const played of [one, two, fails]) {
      await fixture.connect(played)
      const report = JSON.stringify({ at: new Date().toISOString(), values: { client_version: '1.0.0' } })
      await played.client?.publishAsync(`v1/devices/${played.device.guid}/events/device`, report, { qos: 1 })
    }
    expect(await begin()).toBe(true)
    const list = async () => (await fixture.ask('ClientUpdate/GetUpdateList')).body as { rows: object[] }
    const ended = await becomes(list, ({ rows }) => JSON.stringify(rows).includes('"halted"'))
    expect(ended.rows).toMatchObject([{ version: '1.0.1', createdBy: 'admin@staff.example', begunWave: 1 }])
    const counts = await becomes(list, ({ rows }) => JSON.stringify(rows).includes('"done":2'))
    expect(counts.rows).toMatchObject([{ state: 'halted', counts: { done: 2, failed: 1, waiting: 2 } }])
    const audited = await fixture.rows(`select username, call, outcome from audit_log where call like 'ClientUpdate/%'`)
    expect(audited).toEqual([{ username: 'admin@staff.example', call: 'ClientUpdate/CreateUpdate', outcome: 'done' }])
    expect(await begin()).toBe(false)
    expect((await list()).rows).toHaveLength(1)
  } finally {
    await fixture.close()
  }
})
