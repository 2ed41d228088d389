import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { METRICS, type Metric } from '#server/metrics/metricList.ts'
import { eventually } from '#server/testing/devices/gatewayFixture.ts'
import { METRICS_TOKEN, watchedServer } from '#server/testing/wholeServer/watchedServer.ts'
import { askServer, startWholeServer } from '#server/testing/wholeServer/wholeServer.ts'

const watched = await watchedServer()
const LIST: readonly (readonly [string, Metric])[] = Object.entries(METRICS)
const namesTold = (text: string) => [...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name)
/** These need backups (backupJobs.test.ts), a sealed audit log or TLS (tls.test.ts). */
const NOT_HERE = /^wayside_(backup|audit_seal|certificate)_/

const told = (text: string, series: string) =>
  Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${series} `))
      ?.split(' ')
      .at(-1),
  )

test('every metric of the list is told by a server that leads, with its type, and no other', async () => {
  const { text } = await watched.led()
  const expected = LIST.filter(([name, { by }]) => by !== 'device' && !NOT_HERE.test(name)).map(([name]) => name)
  expect(namesTold(text).filter((name = '') => !NOT_HERE.test(name))).toEqual(expected)
  for (const name of namesTold(text)) {
    const { type, help } = METRICS[name as keyof typeof METRICS]
    expect(text).toContain(`# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`)
  }
  const ofDevices = await watched.read('/metrics/devices')
  expect(namesTold(ofDevices.text)).toEqual(LIST.filter(([, { by }]) => by === 'device').map(([name]) => name))
})

test('what was done is counted: reports, their acknowledgements and lag, calls, connections, jobs', async () => {
  await watched.led()
  const { text } = await watched.read('/metrics')
  expect(told(text, 'wayside_connected_devices')).toBe(1)
  expect(told(text, 'wayside_reports_stored_total')).toBe(2)
  expect(told(text, 'wayside_mqtt_acknowledgement_duration_seconds_count')).toBe(2)
  expect(told(text, 'wayside_mqtt_acknowledgement_duration_seconds_bucket{le="+Inf"}')).toBe(2)
  expect(told(text, 'wayside_mqtt_acknowledgement_duration_seconds_sum')).toBeGreaterThan(0)
  expect(told(text, 'wayside_report_lag_seconds_count')).toBe(2)
  expect(told(text, 'wayside_batch_duration_seconds_count')).toBe(told(text, 'wayside_batches_stored_total'))
  expect(told(text, 'wayside_queue_age_seconds')).toBe(0)
  expect(told(text, 'wayside_http_requests_total{call="Device/GetDeviceList",status="2xx"}')).toBe(1)
  expect(told(text, 'wayside_http_request_duration_seconds_count{call="Device/GetDeviceList"}')).toBe(1)
  const devices = [...text.matchAll(/^wayside_devices\{.*\} (\d+)$/gm)].map(([, count]) => Number(count))
  expect(devices.reduce((all, one) => all + one, 0)).toBe(2)
  expect(told(text, 'wayside_open_alerts{severity="critical",state="active"}')).toBe(0)
  expect(told(text, 'wayside_job_runs_total{job="roll-ups",end="done"}')).toBeGreaterThan(0)
  expect(told(text, 'wayside_pool_connections_limit{pool="calls"}')).toBe(12)
  expect(told(text, 'wayside_processes')).toBe(1)
  expect(told(text, 'wayside_health_troubles')).toBe(0)
})

test('a process that does not lead tells of itself alone', async () => {
  await watched.led()
  const other = await startWholeServer(watched.database, { config: { metricsToken: METRICS_TOKEN } })
  try {
    const { text } = await watched.read('/metrics', METRICS_TOKEN, other.localAddresses.httpUrl)
    expect(told(text, 'wayside_leader')).toBe(0)
    const ofProcess = LIST.filter(([, { by }]) => by === 'process').map(([name]) => name)
    expect(namesTold(text).filter((name = '') => !ofProcess.includes(name))).toEqual([])
  } finally {
    await other.stop()
  }
})

test('reports that wait for the database are told with how long the oldest has waited', async () => {
  const locking = await watched.owner.connect()
  await locking.query('begin')
  await locking.query('lock table reading_display in access exclusive mode')
  const storing = watched.report(60)
  const waiting = await eventually(
    () => watched.read('/metrics'),
    ({ text }) => told(text, 'wayside_queue_packets') === 1 && told(text, 'wayside_queue_age_seconds') > 0.05,
  )
  expect(told(waiting.text, 'wayside_queue_bytes')).toBeGreaterThan(0)
  await locking.query('rollback')
  locking.release()
  await storing
  const { text } = await watched.read('/metrics')
  expect(told(text, 'wayside_queue_packets')).toBe(0)
  expect(told(text, 'wayside_mqtt_acknowledgement_duration_seconds_bucket{le="0.025"}')).toBeLessThan(
    told(text, 'wayside_mqtt_acknowledgement_duration_seconds_count'),
  )
})

test('while the database keeps the answer back, all that needs none is told', async () => {
  await watched.led()
  const locking = await watched.owner.connect()
  await locking.query('begin')
  await locking.query('lock table fleet_count in access exclusive mode')
  const { text } = await eventually(
    () => watched.read('/metrics'),
    (answer) => !namesTold(answer.text).includes('wayside_devices'),
  )
  expect(told(text, 'wayside_leader')).toBe(1)
  expect(told(text, 'wayside_reports_stored_total')).toBeGreaterThan(0)
  await locking.query('rollback')
  locking.release()
})

test('a live stream is counted while it is open, and how long somebody looked is no duration of a call', async () => {
  const { httpUrl } = watched.server.localAddresses
  const stream = await fetch(`${httpUrl}/api/Live/Watch`, {
    method: 'POST',
    headers: { authorization: `Bearer ${watched.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ deviceIds: [], stateDeviceIds: [] }),
  })
  expect(told((await watched.read('/metrics')).text, 'wayside_live_streams')).toBe(1)
  expect(await askServer(httpUrl, 'App/Logout', { token: watched.token, method: 'POST' })).toMatchObject({
    status: 200,
  })
  await stream.text()
  const { text } = await eventually(
    () => watched.read('/metrics'),
    (answer) => told(answer.text, 'wayside_live_streams') === 0,
  )
  expect(told(text, 'wayside_http_requests_total{call="Live/Watch",status="2xx"}')).toBe(1)
  expect(text).not.toContain('wayside_http_request_duration_seconds_count{call="Live/Watch"}')
})

test('numbers of devices name them, whatever they are called, and go to nobody without the token', async () => {
  await watched.owner.query('update device set name = $1 where id = $2', [
    'a "quoted" \\ name\nof two lines',
    watched.device.id,
  ])
  const { text } = await watched.read('/metrics/devices')
  expect(text).toContain(`device="${watched.device.guid}",name="a \\"quoted\\" \\\\ name\\nof two lines"`)
  expect(told(text, `wayside_device_online{device="${watched.device.guid}"}`)).toBe(1)
  expect(told(text, `wayside_device_open_alerts{device="${watched.device.guid}"}`)).toBe(0)
  for (const path of ['/metrics', '/metrics/devices'])
    for (const base of [watched.ownUrl, watched.server.localAddresses.httpUrl]) {
      expect([path, base, (await watched.read(path, 'another token altogether', base)).status]).toEqual([
        path,
        base,
        401,
      ])
      expect([path, base, (await watched.read(path, METRICS_TOKEN, base)).status]).toEqual([path, base, 200])
    }
  expect((await watched.read('/healthz', undefined)).status).toBe(200)
})

test('the page of documentation tells of every metric what the list does, and of none else', () => {
  const page = readFileSync(fileURLToPath(new URL('../../docs/guide/run/metrics.md', import.meta.url)), 'utf8')
  const rows = [...page.matchAll(/^\| `(\w+)` \| (\w+) \| (.*?) ?\| (.+) \|$/gm)].map((row) => row.slice(1))
  const quoted = (labels: readonly string[] = []) => labels.map((label) => `\`${label}\``).join(', ')
  const listed = LIST.map(([name, { type, labels, help }]) => [name, type, quoted(labels), help])
  const byName = (one: readonly (string | undefined)[], other: readonly (string | undefined)[]) =>
    String(one[0]).localeCompare(String(other[0]))
  expect(rows.sort(byName)).toEqual(listed.sort(byName))
  const named = [...page.matchAll(/wayside_[a-z_]+[a-z]/g)].map(([name]) => name)
  expect(named.filter((name) => !(name in METRICS) && !name.endsWith('_backup'))).toEqual([])
})
